import type { UsageSum } from '../api/types.js';
import { negated, sumDecimals } from '../format/decimals.js';
import type { Measure, Split } from './usage-search.js';

/** Amounts of a group of calls; null where nothing is known. */
export interface Amounts {
  readonly calls: number;
  readonly failed_calls: number;
  readonly unknown_calls: number;
  readonly unpriced_calls: number;
  readonly input_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly total_tokens: number | null;
  readonly total_cost_usd: string | null;
}

const COUNTS = ['calls', 'failed_calls', 'unknown_calls', 'unpriced_calls'] as const;
const TOKENS = [
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'reasoning_tokens',
  'total_tokens',
] as const;

/** Sum of groups: of what is known, and unknown only where all is unknown. Pure. */
export function sumOf(groups: readonly Amounts[]): Amounts {
  const counts = COUNTS.map((name) => [name, groups.reduce((sum, group) => sum + group[name], 0)]);
  const tokens = TOKENS.map((name) => [name, knownSum(groups.map((group) => group[name]))]);
  return {
    ...(Object.fromEntries([...counts, ...tokens]) as Omit<Amounts, 'total_cost_usd'>),
    total_cost_usd: groups.length === 0 ? '0' : sumDecimals(groups.map((group) => group.total_cost_usd)),
  };
}

/** Amounts of all calls that are in none of the groups; null where there are none. Pure. */
export function restOf(all: Amounts, groups: readonly Amounts[]): Amounts | null {
  const grouped = sumOf(groups);
  if (all.calls <= grouped.calls) return null;
  const tokens = TOKENS.map((name) => [name, difference(all[name], grouped[name])]);
  const counts = COUNTS.map((name) => [name, all[name] - grouped[name]]);
  return {
    ...(Object.fromEntries([...counts, ...tokens]) as Omit<Amounts, 'total_cost_usd'>),
    total_cost_usd:
      all.total_cost_usd === null
        ? null
        : sumDecimals([all.total_cost_usd, negated(grouped.total_cost_usd ?? '0')]),
  };
}

/** Name of the group of a sum, as text. Pure. */
export function keyOf(sum: UsageSum, by: Split): string {
  switch (by) {
    case 'model':
      return sum.model ?? '';
    case 'agent':
      return String(sum.agent_id);
    case 'executor':
      return sum.executor_id ?? '';
    case 'tenant':
      return sum.tenant_id ?? '';
    case 'scope':
      return sum.scope ?? '';
  }
}

/** Amount that is drawn and sorted by; null where it is unknown. Pure. */
export function amountOf(amounts: Amounts, measure: Measure): number | null {
  if (measure === 'calls') return amounts.calls;
  if (measure === 'tokens') return amounts.total_tokens;
  return amounts.total_cost_usd === null ? null : Number(amounts.total_cost_usd);
}

/** Groups with the largest amount first, unknown amounts last. Pure. */
export function byAmount<Group extends Amounts>(groups: readonly Group[], measure: Measure): Group[] {
  return groups.toSorted((a, b) => (amountOf(b, measure) ?? -1) - (amountOf(a, measure) ?? -1));
}

function knownSum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return values.length === 0 ? 0 : null;
  return known.reduce((sum, value) => sum + value, 0);
}

const difference = (all: number | null, part: number | null): number | null =>
  all === null ? null : all - (part ?? 0);
