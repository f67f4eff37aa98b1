import { useEffect, useReducer, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api, randomKey } from '../../api/client.js';
import { waitBeforeRetry } from '../../api/wait-before-retry.js';
import type { RunsFilter } from '../runs-filter.js';
import { statusesFor, type BulkAction } from './bulk-action.js';
import { findUnfinished, forgetBulk, noteBulk } from './bulk-id.js';
import { findRuns, type FoundRuns } from './find-runs.js';
import { runBulk, type BulkFailure } from './run-bulk.js';

const NONE: FoundRuns = { runs: [], isComplete: false, isCut: false };

/** Finds the runs that the action is for; the search begins anew when something else is asked for. */
export function useFoundRuns(action: BulkAction, filter: RunsFilter, isCompletedMeant: boolean) {
  const statuses = statusesFor(action, filter, isCompletedMeant).join(',');
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  const asked = `${turn} ${statuses}`;
  const [answer, setAnswer] = useState<{ asked: string; found: FoundRuns; error: unknown } | null>(null);
  useEffect(() => {
    if (statuses === '') return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    findRuns(
      { ...filter, status: statuses },
      {
        signal,
        onFound: (found) => setAnswer({ asked, found, error: null }),
      },
    ).catch((error: unknown) => {
      if (!signal.aborted) setAnswer({ asked, found: NONE, error });
    });
    return () => leaving.abort();
  }, [asked, filter, statuses]);
  if (statuses === '') return { found: { ...NONE, isComplete: true }, error: null, again };
  return { ...(answer?.asked === asked ? answer : { found: NONE, error: null }), again };
}

export interface BulkProgress {
  readonly state: 'asking' | 'running' | 'stopping' | 'over';
  readonly total: number;
  readonly done: number;
  readonly failures: readonly BulkFailure[];
  /** Runs that were not begun, since it was stopped. */
  readonly left: readonly string[];
}

const BEFORE: BulkProgress = { state: 'asking', total: 0, done: 0, failures: [], left: [] };

/**
 * Does the action to runs, with one idempotency key for each of them until all are done: what is done again after a broken
 * connection, or after the page was loaded anew, is not done twice.
 */
export function useBulk(action: BulkAction, filter: RunsFilter) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState(BEFORE);
  const [unfinished] = useState(() => findUnfinished(action, filter));
  const [bulkId] = useState(() => unfinished ?? randomKey());
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);
  const run = async (ids: readonly string[], isCompletedMeant: boolean, before: number): Promise<void> => {
    const controller = new AbortController();
    stopping.current = controller;
    noteBulk({ action, filter, id: bulkId });
    const left = new Set(ids);
    const failed = new Set<string>();
    const change = (more: (progress: BulkProgress) => Partial<BulkProgress>): void =>
      setProgress((current) => ({ ...current, ...more(current) }));
    setProgress({ ...BEFORE, state: 'running', total: ids.length + before, done: before });
    await runBulk({
      ids,
      act: (id) => ask(action, id, { key: `${bulkId}.${id}`, isCompletedMeant }),
      signal: controller.signal,
      pause: waitBeforeRetry,
      onDone: (id) => {
        left.delete(id);
        change(({ done }) => ({ done: done + 1 }));
      },
      onFailure: (failure) => {
        left.delete(failure.id);
        failed.add(failure.id);
        change(({ failures }) => ({ failures: [...failures, failure] }));
      },
    });
    change(() => ({ state: 'over', left: [...left] }));
    if (left.size + failed.size === 0) forgetBulk();
    await queries.invalidateQueries({ queryKey: ['runs'] });
  };
  return {
    progress,
    /** Whether the same was begun before in this tab and not finished. */
    isContinued: unfinished !== null,
    run,
    stop: (): void => {
      stopping.current?.abort();
      setProgress((current) => ({ ...current, state: 'stopping' }));
    },
  };
}

function ask(
  action: BulkAction,
  id: string,
  given: { key: string; isCompletedMeant: boolean },
): Promise<unknown> {
  const params = { path: { id }, header: { 'Idempotency-Key': given.key } };
  return action === 'cancel'
    ? answerOf(api.POST('/api/executions/{id}/cancel/', { params }))
    : answerOf(
        api.POST('/api/executions/{id}/retry/', {
          params,
          body: given.isCompletedMeant ? { even_if_completed: true } : {},
        }),
      );
}
