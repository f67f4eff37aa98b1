import { useEffect, useMemo } from 'react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { isSettled } from '../api/runs.js';
import { messagesQuery, sessionRunsQuery } from '../api/sessions.js';
import type { Session } from '../api/types.js';
import { turnsOf, type Turn } from './turns-of.js';

export interface Turns {
  readonly turns: readonly Turn[];
  readonly isPending: boolean;
  /** Why the turns cannot be read; null where they can. */
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly readMore: () => void;
  readonly retry: () => void;
}

/** Turns of a session, oldest first, as many pages as were asked for. */
export function useTurns({ uuid, turn_count }: Pick<Session, 'uuid' | 'turn_count'>): Turns {
  const queries = useQueryClient();
  const runs = useInfiniteQuery(sessionRunsQuery(uuid, turn_count));
  const messages = useInfiniteQuery({ ...messagesQuery(uuid), staleTime: Infinity });
  const runsPart = usePart(runs.data?.pages);
  const messagesPart = usePart(messages.data?.pages);
  const turns = useMemo(() => turnsOf(messagesPart, runsPart), [messagesPart, runsPart]);
  const ended = runsPart.rows.filter(isSettled).length;
  // A turn stores its messages with its end.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: messagesQuery(uuid).queryKey });
  }, [queries, uuid, ended]);
  const isFetching = runs.isFetchingNextPage || messages.isFetchingNextPage;
  const failed = [runs, messages].find(({ isError }) => isError);
  return {
    turns,
    isPending: runs.isPending || messages.isPending,
    error: failed?.error ?? null,
    hasMore: runs.hasNextPage || messages.hasNextPage,
    readMore: () => {
      if (isFetching || failed !== undefined || runs.isPending || messages.isPending) return;
      if (runs.hasNextPage) void runs.fetchNextPage();
      if (messages.hasNextPage) void messages.fetchNextPage();
    },
    retry: () => {
      for (const query of [runs, messages]) {
        if (query.isError) void (query.data === undefined ? query.refetch() : query.fetchNextPage());
      }
    },
  };
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
}

function usePart<Row>(pages: readonly Page<Row>[] | undefined) {
  return useMemo(
    () => ({
      rows: pages?.flatMap(({ data }) => data) ?? [],
      hasMore: pages?.at(-1)?.has_more ?? true,
    }),
    [pages],
  );
}
