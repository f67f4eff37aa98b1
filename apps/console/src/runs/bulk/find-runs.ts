import { answerOf, api } from '../../api/client.js';
import type { ExecutionSummary } from '../../api/types.js';
import { queryOf, type RunsFilter } from '../runs-filter.js';

const PAGE = 100;
/** More than so many are done in several goes. */
export const MAX_RUNS = 5_000;

export interface FoundRuns {
  readonly runs: readonly ExecutionSummary[];
  /** False while more are being read. */
  readonly isComplete: boolean;
  /** Whether there are more than `MAX_RUNS`. */
  readonly isCut: boolean;
}

/** Reads all runs of a filter, the oldest first, and hands on those found so far. */
export async function findRuns(
  filter: RunsFilter,
  { signal, onFound }: { readonly signal: AbortSignal; readonly onFound: (found: FoundRuns) => void },
): Promise<void> {
  const fixed = { ...queryOf(filter, Date.now()), sort: 'created_at' as const };
  const runs: ExecutionSummary[] = [];
  for (let cursor: string | null = null; ;) {
    const query = { ...fixed, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const page: RunPage = await answerOf(api.GET('/api/executions/', { params: { query }, signal }));
    runs.push(...page.data);
    cursor = page.next_cursor;
    const isOver = cursor === null || runs.length >= MAX_RUNS;
    onFound({ runs: runs.slice(0, MAX_RUNS), isComplete: isOver, isCut: isOver && cursor !== null });
    if (isOver) return;
  }
}

interface RunPage {
  readonly data: readonly ExecutionSummary[];
  readonly next_cursor: string | null;
}
