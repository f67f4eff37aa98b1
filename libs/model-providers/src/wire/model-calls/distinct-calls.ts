import { isJsonObject } from '#libs/kernel';
import type { PromptToolCall } from '#libs/payloads';
import { isJson } from './read-json.js';

/**
 * Gives the calls of one answer unique ids: servers repeat ids, and outputs are matched by id alone. A call with broken
 * arguments is replaced by a later complete call of the same id (3.B-9).
 */
export function distinctCalls<Call extends PromptToolCall>(calls: readonly Call[]): Call[] {
  return withUniqueIds(withoutBroken(calls));
}

function withoutBroken<Call extends PromptToolCall>(calls: readonly Call[]): readonly Call[] {
  const repeated = repeatedIds(calls);
  // Long arguments are parsed only if another call could replace them.
  if (repeated.size === 0) return calls;
  const kept: Call[] = [];
  const broken = new Map<string, number>();
  for (const call of calls) {
    const isWhole = !repeated.has(call.id) || call.arguments.trim() === '' || isJson(call.arguments);
    const place = broken.get(call.id);
    if (isWhole && place !== undefined) {
      kept[place] = call;
      broken.delete(call.id);
    } else {
      if (!isWhole && call.id.trim() !== '') broken.set(call.id, kept.length);
      kept.push(call);
    }
  }
  return kept;
}

/** Ids used by several calls; blank ids are ignored. */
function repeatedIds(calls: readonly PromptToolCall[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of calls) {
    if (seen.has(id) && id.trim() !== '') repeated.add(id);
    seen.add(id);
  }
  return repeated;
}

function withUniqueIds<Call extends PromptToolCall>(calls: readonly Call[]): Call[] {
  const taken = new Set(calls.map((call) => call.id));
  const used = new Set<string>();
  return calls.map((call, at) => {
    const isBlank = call.id.trim() === '';
    const isFree = !isBlank && !used.has(call.id);
    const id = isFree ? call.id : freeId(isBlank ? 'call' : call.id, at + 1, taken);
    used.add(id);
    return isFree ? call : { ...call, id };
  });
}

/** Reserves the returned id. */
function freeId(base: string, from: number, taken: Set<string>): string {
  for (let number = from; ; number += 1) {
    const id = `${base}_${number}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

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
