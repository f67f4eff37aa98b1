import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.js';
import { isSettled } from './runs.js';

const PAGE = 100;
const REFRESH_MS = 2_500;

export const sessionQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['session', uuid],
    refetchInterval: 2 * REFRESH_MS,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/sessions/{uuid}/', { params: { path: { uuid } }, signal })),
  });

/** The text that the model reads in place of the older messages. */
export const sessionSummaryQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['session', uuid, 'summary'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/sessions/{uuid}/summary/', { params: { path: { uuid } }, signal })),
  });

/** Messages of a session as its user sees them, oldest first. A turn adds its own when it ends. */
export const messagesQuery = (uuid: string) =>
  infiniteQueryOptions({
    queryKey: ['session', uuid, 'messages'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const params = { path: { uuid }, query };
      return answerOf(api.GET('/api/sessions/{uuid}/messages/', { params, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/**
 * The runs of a session, oldest first; read again while one is under way, or while the session counts more turns.
 * @param turnCount turns of the session as far as they are known
 */
export const sessionRunsQuery = (uuid: string, turnCount: number) =>
  infiniteQueryOptions({
    queryKey: ['session', uuid, 'runs'],
    queryFn: ({ pageParam, signal }) => {
      const filter = { session_uuid: uuid, sort: 'created_at' as const, limit: PAGE };
      const query = { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET('/api/executions/', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const isBehind = pages.at(-1)?.has_more === false && lastTurnOf(pages) < turnCount;
      const isUnderWay = pages.some(({ data }) => data.some((run) => !isSettled(run)));
      if (!isBehind && !isUnderWay) return false;
      return pages.length > 3 ? 4 * REFRESH_MS : REFRESH_MS;
    },
  });

function lastTurnOf(pages: readonly { readonly data: readonly { turn_number: number }[] }[]): number {
  return pages.at(-1)?.data.at(-1)?.turn_number ?? 0;
}
