import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { RunEvent } from '../api/types.js';
import type { Conversation } from './fold-events.js';
import { RunEventsStore, type CollectedEvents } from './run-events-store.js';

export interface RunEvents extends CollectedEvents {
  readonly conversation: Conversation;
}

/** Kinds of events after which the run itself has another state. */
const CHANGES_RUN: readonly RunEvent['event'][] = [
  ...(['status', 'waiting', 'approval_required', 'outcome_required', 'result', 'error'] as const),
];

/** Follows the events of a run while the page shows it, and has the run read anew when they say that it changed. */
export function useRunEvents(id: string): RunEvents {
  const store = useRunEventsStore(id, true);
  const conversation = useSyncExternalStore(store.subscribe, store.getConversation);
  return { ...useSyncExternalStore(store.subscribe, store.getState), conversation };
}

/**
 * The same without drawing anew what uses it, and only once the page wants the events: of a run that is over they may be
 * megabytes, which only some tabs show.
 */
export function useRunEventsStore(id: string, isWanted: boolean): RunEventsStore {
  const queries = useQueryClient();
  const store = useMemo(() => new RunEventsStore(id), [id]);
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
