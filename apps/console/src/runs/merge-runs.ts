import type { ExecutionSummary } from '../api/types.js';

export interface MergedRuns {
  /** Rows of the list, newest first, each in its latest known state. */
  readonly rows: readonly ExecutionSummary[];
  /** Runs that are newer than the list, newest first. */
  readonly fresh: readonly ExecutionSummary[];
  /** True when there may be more new runs than are known, between `fresh` and `rows`. */
  readonly hasGap: boolean;
}

/**
 * Puts newer states into the rows that are shown already without moving any, and keeps runs that came since apart, so that
 * nothing jumps under the pointer. Pure.
 * @param pages rows as they were read, newest first
 * @param head the newest runs as they are now, newest first
 * @param isHeadCut whether there are more runs behind `head`
 */
export function mergeRuns(
  pages: readonly ExecutionSummary[],
  head: readonly ExecutionSummary[],
  isHeadCut: boolean,
): MergedRuns {
  const latest = new Map(head.map((run) => [run.id, run]));
  const shown = new Set(pages.map(({ id }) => id));
  const newest = pages[0]?.created_at ?? '';
  const fresh = head.filter(({ id, created_at }) => !shown.has(id) && created_at >= newest);
  return {
    rows: pages.map((run) => latest.get(run.id) ?? run),
    fresh,
    hasGap: isHeadCut && fresh.length > 0 && fresh.length === head.length,
  };
}
