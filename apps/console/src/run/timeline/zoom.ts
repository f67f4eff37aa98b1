import type { Stretch, TimeRange } from './layout.js';
import type { TimelineEntry } from './timeline-entry.js';

/** The shortest window in ms: what is shorter has nothing to show. */
const MIN_RANGE_MS = 2;

/** Time at a place of the axis, a share from 0 to 1: the reverse of `placeOf`. Pure. */
export function timeAt(place: number, stretches: readonly Stretch[]): number {
  const stretch = stretches.find(({ left, width }) => place <= left + width) ?? stretches.at(-1);
  if (stretch === undefined) return 0;
  const { from, to, left, width } = stretch;
  const share = width === 0 ? 0 : (place - left) / width;
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}

/** The window between two places of the axis, in any order; null where it is too short to show anything. Pure. */
export function rangeBetween(one: number, other: number, stretches: readonly Stretch[]): TimeRange | null {
  const from = timeAt(Math.min(one, other), stretches);
  const to = timeAt(Math.max(one, other), stretches);
  return to - from < MIN_RANGE_MS ? null : { from, to };
}

/** The middle half of what the axis shows; null where it cannot be halved. Pure. */
export const zoomedIn = (stretches: readonly Stretch[]): TimeRange | null =>
  rangeBetween(0.25, 0.75, stretches);

/** A window twice as long around the same middle, within the whole; null once it is all of it. Pure. */
export function zoomedOut({ from, to }: TimeRange, whole: TimeRange): TimeRange | null {
  const half = (to - from) / 2;
  const wider = { from: Math.max(whole.from, from - half), to: Math.min(whole.to, to + half) };
  return wider.from <= whole.from && wider.to >= whole.to ? null : wider;
}

/** The window moved by half of its length, within the whole. Pure. */
export function moved({ from, to }: TimeRange, direction: 1 | -1, whole: TimeRange): TimeRange {
  const length = to - from;
  const wanted = from + (direction * length) / 2;
  const begin = Math.max(whole.from, Math.min(wanted, whole.to - length));
  return { from: begin, to: begin + length };
}

/** First begin and last end of all entries. Pure. */
export function wholeRange(entries: readonly TimelineEntry[], now: number): TimeRange {
  let [from, to] = [Infinity, -Infinity];
  for (const { startedAt, finishedAt } of entries) {
    from = Math.min(from, startedAt);
    to = Math.max(to, finishedAt ?? now, startedAt);
  }
  return { from, to };
}

/** Whether any of an entry lies in the window. An unfinished one reaches up to now, and no window begins later. Pure. */
export const isWithin = ({ startedAt, finishedAt }: TimelineEntry, { from, to }: TimeRange): boolean =>
  startedAt <= to && (finishedAt === null || Math.max(startedAt, finishedAt) >= from);
