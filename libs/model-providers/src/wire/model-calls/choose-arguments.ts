import { isJsonObject } from '#libs/kernel';

/**
 * Selects among several reports of one call's arguments: the first non-empty object, otherwise the first non-blank text,
 * or `{}` without any report. A server that reports a call twice may leave one report blank, `{}` or truncated.
 * @param reports most reliable first
 */
export function chooseArguments(reports: readonly (string | undefined)[]): string {
  const given = reports.flatMap((report) => (report === undefined || report.trim() === '' ? [] : [report]));
  if (given.length === 0) return reports.find((report) => report !== undefined) ?? '{}';
  const [surest = ''] = given;
  return given.length === 1 ? surest : (given.find((text) => membersOf(text) > 0) ?? surest);
}

/** Whether the text is blank or an empty object. */
export function saysNothing(text: string): boolean {
  return text.trim() === '' || membersOf(text) === 0;
}

/** Number of members if the text is a JSON object; −1 otherwise. */
function membersOf(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? Object.keys(value).length : -1;
  } catch {
    return -1;
  }
}
