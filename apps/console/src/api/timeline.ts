import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.js';

const PAGE = 100;
const REFRESH_MS = 2_500;

/** Recorded timeline of a run, in pages. */
export const timelineQuery = (id: string, isOver: boolean) =>
  infiniteQueryOptions({
    queryKey: ['run', id, 'timeline'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) };
      const params = { path: { id }, query };
      return answerOf(api.GET('/api/executions/{id}/timeline/', { params, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => {
      if (isOver) return false;
      return (state.data?.pages.length ?? 0) > 3 ? 4 * REFRESH_MS : REFRESH_MS;
    },
  });
