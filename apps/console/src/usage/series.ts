import type { UsageSum } from '../api/types.js';
import { amountOf, keyOf } from './sums.js';
import type { Measure, Split } from './usage-search.js';

/** A series of the chart: one amount for each part of the range, null where it is unknown. */
export interface Series {
  /** Group that it is of; null: of all groups without a series of their own. */
  readonly key: string | null;
  readonly values: readonly (number | null)[];
}

interface SeriesChoice {
  readonly by: Split;
  /** Groups with a series of their own. */
  readonly keys: readonly string[];
  readonly measure: Measure;
}

/**
 * Amounts of some groups over time, each in a series, and all others together in one more where there are any. Pure.
 * @param sums of each part and group
 * @param parts beginnings of the parts, as Unix times in seconds
 */
export function seriesOf(
  sums: readonly UsageSum[],
  parts: readonly number[],
  { by, keys, measure }: SeriesChoice,
): Series[] {
  const places = new Map(parts.map((part, index) => [part, index]));
  const zeros = (): (number | null)[] => new Array<number>(parts.length).fill(0);
  const lines = new Map<string | null, (number | null)[]>(keys.map((key) => [key, zeros()]));
  for (const sum of sums) {
    const place = places.get(timeOf(sum));
    if (place === undefined) continue;
    const name = keyOf(sum, by);
    const key = keys.includes(name) ? name : null;
    const line = lines.get(key) ?? zeros();
    lines.set(key, line);
    line[place] = plus(line[place] ?? 0, amountOf(sum, measure));
  }
  return [...lines].map(([key, values]) => ({ key, values }));
}

/** Amounts of everything over time, as one series. Pure. */
export function totalSeries(sums: readonly UsageSum[], parts: readonly number[], measure: Measure): Series {
  const found = new Map(sums.map((sum) => [timeOf(sum), amountOf(sum, measure)]));
  return { key: null, values: parts.map((part) => (found.has(part) ? (found.get(part) ?? null) : 0)) };
}

function timeOf({ day, hour }: UsageSum): number {
  return Date.parse(hour ?? day ?? '') / 1000;
}

/** An unknown amount adds nothing to a known one, and stays unknown alone. */
const plus = (before: number, amount: number | null): number | null =>
  amount === null ? (before === 0 ? null : before) : before + amount;
