import type { ExecutionSummary, Standing } from '../api/types.js';

/** Runs as they were read, and when they were asked for (Unix time in ms). */
export interface Reading {
  readonly askedAt: number;
  readonly data: readonly ExecutionSummary[];
}

export interface ReceivedStanding {
  readonly receivedAt: number;
  readonly standing: Standing;
}

export interface KnownRuns {
  /** Pages of the list, newest runs first. */
  readonly pages: readonly Reading[];
  /** The newest runs as they are now, and whether there are more behind them. */
  readonly head: (Reading & { readonly has_more: boolean }) | null;
  /** Pages that were read once more. */
  readonly again: readonly Reading[];
  /** Changes by the ids of their runs. */
  readonly standings: ReadonlyMap<string, ReceivedStanding>;
}

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
 */
export function mergeRuns({ pages, head, again, standings }: KnownRuns): MergedRuns {
  const latest = latestOf([...pages, ...again, ...(head === null ? [] : [head])]);
  const current = (run: ExecutionSummary): ExecutionSummary => {
    const known = latest.get(run.id) ?? { run, askedAt: 0 };
    const change = standings.get(run.id);
    const isNewer = change !== undefined && change.receivedAt > known.askedAt;
    return isNewer ? withStanding(known.run, change.standing) : known.run;
  };
  const shown = pages.flatMap(({ data }) => data);
  const ids = new Set(shown.map(({ id }) => id));
  const newest = shown[0]?.created_at ?? '';
  const inHead = head?.data ?? [];
  const fresh = inHead.filter(({ id, created_at }) => !ids.has(id) && created_at >= newest);
  return {
    rows: shown.map(current),
    fresh: fresh.map(current),
    hasGap: head?.has_more === true && fresh.length > 0 && fresh.length === inHead.length,
  };
}

function latestOf(readings: readonly Reading[]): Map<string, { run: ExecutionSummary; askedAt: number }> {
  const inOrder = readings.toSorted((a, b) => a.askedAt - b.askedAt);
  return new Map(inOrder.flatMap(({ data, askedAt }) => data.map((run) => [run.id, { run, askedAt }])));
}

/** A change says how the run stands, and nothing of what it took or waits for. */
function withStanding(run: ExecutionSummary, standing: Standing): ExecutionSummary {
  const { status, attempt, started_at, finished_at } = standing;
  const isSame = status === run.status;
  return {
    ...{ ...run, status, attempt, started_at, finished_at },
    waiting_for: isSame ? run.waiting_for : null,
    required_action: isSame ? run.required_action : null,
  };
}
