import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.js';
import type { Execution } from './types.js';

const SETTLED: readonly Execution['status'][] = ['completed', 'incomplete', 'failed', 'cancelled'];
const REFRESH_MS = 2_500;
const PAGE = 100;

export const isSettled = ({ status }: Pick<Execution, 'status'>): boolean => SETTLED.includes(status);

/** One run; read again and again until it is settled. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) => answerOf(api.GET('/api/executions/{id}/', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data !== undefined && isSettled(state.data) ? false : REFRESH_MS),
  });

/** Audit of the tool calls of a run, in pages. */
export const stepsQuery = (id: string, isOver: boolean) =>
  infiniteQueryOptions({
    queryKey: ['run', id, 'steps'],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/api/executions/{id}/steps/', {
          params: {
            path: { id },
            query: { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // All pages are read again: many of them only now and then.
    refetchInterval: ({ state }) => {
      if (isOver) return false;
      return (state.data?.pages.length ?? 0) > 3 ? 4 * REFRESH_MS : REFRESH_MS;
    },
  });
