import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { followExecution, type Connection } from '../api/follow-execution.js';
import type { RunEvent } from '../api/types.js';
import { EMPTY_CONVERSATION, foldEvents, type Conversation } from './fold-events.js';

export interface RunEvents {
  readonly events: readonly RunEvent[];
  readonly conversation: Conversation;
  readonly connection: Connection;
  /** Why the events cannot be read; null where they can. */
  readonly error: unknown;
}

const NOTHING: RunEvents = {
  events: [],
  conversation: EMPTY_CONVERSATION,
  connection: 'connecting',
  error: null,
};

/** Kinds of events after which the run itself has another state. */
const CHANGES_RUN: readonly RunEvent['event'][] = [
  ...(['status', 'waiting', 'approval_required', 'outcome_required', 'result', 'error'] as const),
];

/** Follows the events of a run while the page shows it, and has the run read anew when they say that it changed. */
export function useRunEvents(id: string): RunEvents {
  const queries = useQueryClient();
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const leaving = new AbortController();
    followExecution({
      executionId: id,
      signal: leaving.signal,
      onConnection: (connection) => setState((before) => ({ ...before, connection })),
      onEvents: (events) => {
        if (leaving.signal.aborted) return;
        setState((before) => ({
          ...before,
          events: [...before.events, ...events],
          conversation: foldEvents(before.conversation, events),
        }));
        if (events.some(({ event }) => CHANGES_RUN.includes(event))) {
          void queries.invalidateQueries({ queryKey: ['run', id], exact: true });
        }
      },
    }).catch((error: unknown) => {
      if (!leaving.signal.aborted) setState((before) => ({ ...before, connection: 'ended', error }));
    });
    return () => leaving.abort();
  }, [id, queries]);
  return state;
}
