import { isJsonObject } from '#libs/kernel';

/**
 * The report to believe among several of one call's arguments: the first that is an object with something in it, else the
 * first that says anything; `{}` where there is no report at all. A server that reports a call twice leaves one of
 * the two blank, `{}` or cut off.
 *
 * @param reports the surest first
 */
export function chooseArguments(reports: readonly (string | undefined)[]): string {
  const given = reports.flatMap((report) => (report === undefined || report.trim() === '' ? [] : [report]));
  if (given.length === 0) return reports.find((report) => report !== undefined) ?? '{}';
  const [surest = ''] = given;
  return given.length === 1 ? surest : (given.find((text) => membersOf(text) > 0) ?? surest);
}

/** Whether these are the arguments of a call that has none. */
export function saysNothing(text: string): boolean {
  return text.trim() === '' || membersOf(text) === 0;
}

/** Members of the object that a text is; −1 where it is none. */
function membersOf(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? Object.keys(value).length : -1;
  } catch {
    return -1;
  }
}
