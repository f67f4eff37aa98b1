import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { RunEvent } from '../api/types.js';
import { RunEventsStore } from './run-events-store.js';

/** Kinds of events after which the run itself has another state. */
const CHANGES_RUN: readonly RunEvent['event'][] = [
  ...(['status', 'waiting', 'approval_required', 'outcome_required', 'result', 'error'] as const),
];

/**
 * Follows the events of a run once the page wants them, and has the run read anew when they say that it changed. Of a run
 * that is over they may be megabytes, which only some tabs show.
 */
export function useRunEvents(id: string, isWanted: boolean): RunEventsStore {
  const queries = useQueryClient();
  const [store] = useState(() => new RunEventsStore(id));
  const [isFollowed, setIsFollowed] = useState(isWanted);
  if (isWanted && !isFollowed) setIsFollowed(true);
  useEffect(() => {
    if (!isFollowed) return undefined;
    const leaving = new AbortController();
    void store.follow(leaving.signal, (events) => {
      if (events.some(({ event }) => CHANGES_RUN.includes(event))) {
        void queries.invalidateQueries({ queryKey: ['run', id], exact: true });
      }
    });
    return () => leaving.abort();
  }, [id, isFollowed, queries, store]);
  return store;
}
