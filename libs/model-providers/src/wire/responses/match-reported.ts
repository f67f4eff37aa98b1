import type { JsonObject } from '#libs/kernel';
import { readText } from '../model-calls/read-json.js';
import type { GrowingItem } from './growing-item.js';

/** Maximum items compared by text; more would be too costly for a hostile answer. */
const MAX_COMPARED = 4;

/**
 * Matches each item of the response object to an item of the stream; undefined if the stream did not report it. Pure. Ids
 * may differ and the object may omit items, so position alone is not enough.
 */
export function matchReported(
  output: readonly JsonObject[],
  heard: readonly GrowingItem[],
): (GrowingItem | undefined)[] {
  const left = new Map<string, GrowingItem[]>();
  for (const item of heard) {
    const ofKind = left.get(item.kind) ?? [];
    left.set(item.kind, ofKind);
    ofKind.push(item);
  }
  const waiting = new Map<string, number>();
  for (const item of output) waiting.set(kindOf(item), (waiting.get(kindOf(item)) ?? 0) + 1);
  return output.map((item, at) => {
    const candidates = left.get(kindOf(item)) ?? [];
    const more = waiting.get(kindOf(item)) ?? 0;
    waiting.set(kindOf(item), more - 1);
    const found = findSame(item, at, candidates, more > candidates.length);
    if (found !== undefined) candidates.splice(candidates.indexOf(found), 1);
    return found;
  });
}

/** @param mayBeNew whether the object has more items of its kind than the stream has reported */
function findSame(
  item: JsonObject,
  at: number,
  candidates: readonly GrowingItem[],
  mayBeNew: boolean,
): GrowingItem | undefined {
  const callId = readText(item, 'call_id') ?? '';
  const id = readText(item, 'id') ?? '';
  const isNamed = (one: GrowingItem) =>
    callId === '' ? id !== '' && one.place.id === id : one.callId === callId;
  const isPlaced = (one: GrowingItem) => one.place.index === at;
  const named = candidates.filter(isNamed);
  const placed = candidates.find(isPlaced);
  const known = named.find(isPlaced) ?? named[0];
  if (known !== undefined) return known;
  const likely = placed === undefined ? [] : [placed];
  const found = [...likely, ...candidates.slice(0, MAX_COMPARED)].find((one) => one.fits(item));
  return found ?? (mayBeNew || callId !== '' ? undefined : (placed ?? candidates[0]));
}

function kindOf(item: JsonObject): string {
  return readText(item, 'type') ?? '';
}
