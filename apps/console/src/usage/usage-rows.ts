import type { UsageSum } from '../api/types.js';
import { amountOf, byAmount, keyOf, restOf, type Amounts } from './sums.js';
import type { Measure, Split } from './usage-search.js';

/** Number of groups that have a colour and a series of their own. */
const SERIES = 6;

/** Filter of the list of runs that shows the runs of a group. */
export interface RunsLink {
  readonly agent?: number;
  readonly executor?: string;
}

export interface GroupRow extends Amounts {
  readonly key: string;
  readonly name: string;
  readonly colour: string | null;
  readonly runs: RunsLink | null;
  readonly share: number | null;
}

interface RowsChoice {
  readonly by: Split;
  readonly measure: Measure;
  readonly agentName: (id: number) => string;
}

/** Calls that no group of a split holds, in words. */
const REST: Readonly<Partial<Record<Split, string>>> = {
  agent: 'Without an agent',
  executor: 'Without an executor',
};

/**
 * Rows of the table of usage, the largest amount first, with the calls that are in no group last. Pure.
 * @param all amounts of all calls; null where they are not known yet
 */
export function rowsOf(
  sums: readonly UsageSum[],
  all: Amounts | null,
  { by, measure, agentName }: RowsChoice,
): GroupRow[] {
  const total = all === null ? null : amountOf(all, measure);
  const shareOf = (amounts: Amounts): number | null => {
    const amount = amountOf(amounts, measure);
    return total === null || amount === null ? null : total === 0 ? 0 : amount / total;
  };
  const rows = byAmount(sums, measure).map((sum, index): GroupRow => {
    const key = keyOf(sum, by);
    const colour = index < SERIES ? `var(--series-${index + 1})` : null;
    const name = by === 'agent' ? agentName(Number(key)) : by === 'scope' ? scopeName(key) : key;
    return { ...sum, key, name, colour, runs: runsOf(sum, by), share: shareOf(sum) };
  });
  const rest = all === null || REST[by] === undefined ? null : restOf(all, sums);
  if (rest === null) return rows;
  const row = { ...rest, key: '', name: REST[by] ?? '', colour: null, runs: null, share: shareOf(rest) };
  return [...rows, row];
}

const scopeName = (scope: string): string => (scope === '' ? 'Main agent' : `Call ${scope}`);

function runsOf(sum: UsageSum, by: Split): RunsLink | null {
  if (by === 'agent' && sum.agent_id !== null) return { agent: sum.agent_id };
  if (by === 'executor' && sum.executor_id !== null) return { executor: sum.executor_id };
  return null;
}
