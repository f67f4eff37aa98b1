import type { TimeSpan } from '../ledgers/chaos-world.js';

export function overlaps(one: TimeSpan, other: TimeSpan): boolean {
  return one.from <= other.to && one.to >= other.from;
}

/** Merges overlapping spans; returns disjoint ones in order. */
export function unite(spans: readonly TimeSpan[]): TimeSpan[] {
  const united: TimeSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = united.at(-1);
    if (last && span.from <= last.to)
      united[united.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else united.push({ from: span.from, to: span.to });
  }
  return united;
}

/** Milliseconds of `within` that at least one of the spans covers. */
export function coveredMs(spans: readonly TimeSpan[], within: TimeSpan): number {
  return unite(spans)
    .map((span) => Math.min(span.to, within.to) - Math.max(span.from, within.from))
    .filter((ms) => ms > 0)
    .reduce((sum, ms) => sum + ms, 0);
}
