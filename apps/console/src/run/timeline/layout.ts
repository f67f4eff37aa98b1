import type { TimelineEntry } from './timeline-entry.js';

/** A window of time; Unix times in ms. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A stretch of time with its place on the axis; shares are from 0 to 1. */
export interface Stretch extends TimeRange {
  readonly left: number;
  readonly width: number;
  /** Nothing happened in it: it is drawn narrow, however long it was. */
  readonly isFolded: boolean;
}

export interface Row {
  readonly entry: TimelineEntry;
  readonly depth: number;
  readonly childCount: number;
}

/** Place of a bar on the axis, in shares from 0 to 1. */
export interface Span {
  readonly left: number;
  readonly width: number;
}

/** Gaps are folded from 1 s on, and only where they would take more than this share of the axis. */
const MIN_GAP_MS = 1000;
const MIN_GAP_SHARE = 0.15;
/** Share of the axis that one folded gap takes; all of them together take at most the second. */
const FOLDED_SHARE = 0.04;
const MAX_FOLDED_SHARE = 0.4;

/**
 * Orders entries as rows, children below their parents. Bars are placed by {@link spanOf} when they are drawn: of thousands,
 * few are in view. Pure.
 * @param folded ids of entries whose children are not shown
 */
export function rowsOf(entries: readonly TimelineEntry[], folded: ReadonlySet<string>): Row[] {
  const children = Map.groupBy(entries, ({ parentId }) => parentId);
  const known = new Set(entries.map(({ id }) => id));
  const rows: Row[] = [];
  const visit = (entry: TimelineEntry, depth: number): void => {
    const below = children.get(entry.id) ?? [];
    rows.push({ entry, depth, childCount: below.length });
    if (folded.has(entry.id)) return;
    for (const child of below.toSorted(byStart)) visit(child, depth + 1);
  };
  // A parent may be on a page that is not read yet.
  const tops = entries.filter(({ parentId }) => parentId === null || !known.has(parentId));
  for (const top of tops.toSorted(byStart)) visit(top, 0);
  return rows;
}

/** Place of an entry on the axis. Pure. */
export function spanOf(entry: TimelineEntry, stretches: readonly Stretch[], now: number): Span {
  const left = placeOf(entry.startedAt, stretches);
  return { left, width: Math.max(0, placeOf(endOf(entry, now), stretches) - left) };
}

/** Whether an entry lies before or behind what the axis shows. Pure. */
export function isOutside(entry: TimelineEntry, stretches: readonly Stretch[], now: number): boolean {
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first === undefined || last === undefined) return false;
  return endOf(entry, now) < first.from || entry.startedAt > last.to;
}

/** Place of a time on the axis, as a share from 0 to 1. Pure. */
export function placeOf(time: number, stretches: readonly Stretch[]): number {
  const stretch = stretches.find(({ to }) => time <= to) ?? stretches.at(-1);
  if (stretch === undefined) return 0;
  const length = stretch.to - stretch.from;
  const share = length === 0 ? 0 : (time - stretch.from) / length;
  return stretch.left + Math.min(1, Math.max(0, share)) * stretch.width;
}

/**
 * The axis from the first start to the last end, on which long gaps without any work are folded. Pure.
 * @param now Unix time in ms; unfinished entries end here
 * @param range window of time that the axis shows; null for all of it
 */
export function stretchesOf(
  entries: readonly TimelineEntry[],
  now: number,
  range: TimeRange | null = null,
): Stretch[] {
  if (entries.length === 0) return [];
  const first = entries.reduce((least, { startedAt }) => Math.min(least, startedAt), Infinity);
  const from = range?.from ?? first;
  const to = range?.to ?? entries.reduce((most, entry) => Math.max(most, endOf(entry, now)), from + 1);
  const busy = busyTimes(entries, now)
    .filter((each) => each.from <= to && each.to >= from)
    .map((each) => ({ from: Math.max(from, each.from), to: Math.min(to, each.to) }));
  const busyLength = busy.reduce((sum, each) => sum + each.to - each.from, 0);
  const foldFrom = Math.max(MIN_GAP_MS, busyLength * MIN_GAP_SHARE);
  const pieces: Piece[] = [];
  let at = from;
  for (const each of [...busy, { from: to, to }]) {
    if (each.from - at > foldFrom) pieces.push({ from: at, to: each.from, isFolded: true });
    else lengthen(pieces, at, each.from);
    lengthen(pieces, each.from, each.to);
    at = each.to;
  }
  return placed(pieces);
}

interface Piece {
  readonly from: number;
  to: number;
  readonly isFolded: boolean;
}

/** Adds open time to the last piece, or begins one: thousands of short gaps make no thousands of pieces. */
function lengthen(pieces: Piece[], from: number, to: number): void {
  const last = pieces.at(-1);
  if (last?.isFolded === false) last.to = to;
  else if (to > from) pieces.push({ from, to, isFolded: false });
}

function placed(pieces: readonly Piece[]): Stretch[] {
  const foldedCount = pieces.filter(({ isFolded }) => isFolded).length;
  const open = pieces.filter(({ isFolded }) => !isFolded).reduce((sum, { from, to }) => sum + to - from, 0);
  // Without an open piece the folded ones share all of the axis.
  const foldedShare =
    open === 0 ? 1 / foldedCount : Math.min(FOLDED_SHARE, MAX_FOLDED_SHARE / Math.max(1, foldedCount));
  const openShare = 1 - foldedShare * foldedCount;
  let left = 0;
  return pieces.map(({ from, to, isFolded }) => {
    const width = isFolded ? foldedShare : ((to - from) / open) * openShare;
    const stretch = { from, to, isFolded, left, width };
    left += width;
    return stretch;
  });
}

/**
 * Times at which something ran, joined where they touch. Attempts and waits alone are no work, unless nothing else is
 * known.
 */
function busyTimes(entries: readonly TimelineEntry[], now: number): TimeRange[] {
  const works = entries.filter(
    ({ kind }) => kind === 'model_call' || kind === 'tool_call' || kind === 'webhook_delivery',
  );
  const hasModelCalls = works.some(({ kind }) => kind === 'model_call');
  // Where model calls are not known, an attempt may have asked its model at any time.
  const counted = hasModelCalls ? works : entries.filter(({ kind }) => !IDLE_KINDS.includes(kind));
  const times: { from: number; to: number }[] = [];
  for (const entry of counted.toSorted(byStart)) {
    const last = times.at(-1);
    const end = endOf(entry, now);
    if (last !== undefined && entry.startedAt <= last.to) last.to = Math.max(last.to, end);
    else times.push({ from: entry.startedAt, to: end });
  }
  return times;
}

/** Entries during which nothing may run. */
const IDLE_KINDS: readonly TimelineEntry['kind'][] = ['wait', 'approval', 'step'];

const endOf = ({ startedAt, finishedAt }: TimelineEntry, now: number): number =>
  Math.max(startedAt, finishedAt ?? now);

const byStart = (a: TimelineEntry, b: TimelineEntry): number => a.startedAt - b.startedAt;
