import { addDecimals } from '#libs/kernel';
import type { TallyRow } from '#libs/persistence';
import type { OverviewAnswer } from './overview.dto.js';

type Part = OverviewAnswer['parts'][number];
type Sums = Pick<OverviewAnswer, 'settled' | 'duration_ms' | 'errors' | 'usage' | 'parts'>;

const NONE = { completed: 0, incomplete: 0, failed: 0, cancelled: 0 };

/** Sums of an overview out of groups of executions that are alike. */
export function summarizeOverview(rows: readonly TallyRow[]): Sums {
  const settled = { ...NONE };
  const usage = { input_tokens: 0, output_tokens: 0, total_cost_usd: '0', unpriced_executions: 0 };
  const errors = new Map<string, number>();
  const durations = new Map<number, number>();
  const parts = new Map<string, Part>();
  for (const row of rows) {
    settled[row.status] += row.count;
    usage.input_tokens += row.input_tokens;
    usage.output_tokens += row.output_tokens;
    usage.total_cost_usd = addDecimals(usage.total_cost_usd, row.cost_usd);
    usage.unpriced_executions += row.unpriced;
    if (row.error_code !== '') addTo(errors, row.error_code, row.count);
    if (row.duration_bucket >= 0) addTo(durations, row.duration_bucket, row.count);
    const from = row.at.toISOString();
    const part = parts.get(from) ?? { from, ...NONE, total_cost_usd: '0' };
    part[row.status] += row.count;
    part.total_cost_usd = addDecimals(part.total_cost_usd, row.cost_usd);
    parts.set(from, part);
  }
  return {
    settled,
    duration_ms: percentilesOf(durations),
    errors: [...errors].map(([code, count]) => ({ code, count })).toSorted((a, b) => b.count - a.count),
    usage,
    parts: [...parts.values()].toSorted((a, b) => a.from.localeCompare(b.from)),
  };
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function percentilesOf(durations: ReadonlyMap<number, number>): Sums['duration_ms'] {
  if (durations.size === 0) return null;
  const inOrder = [...durations].toSorted(([a], [b]) => a - b);
  const all = inOrder.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number): number => {
    let passed = 0;
    const found = inOrder.find(([, count]) => (passed += count) >= share * all);
    // The middle of the bucket, whose ends are the eighth root of 2 apart.
    return Math.round(2 ** (((found?.[0] ?? 0) + 0.5) / 8));
  };
  return { p50: at(0.5), p95: at(0.95) };
}
