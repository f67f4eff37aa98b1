import { queryOptions } from '@tanstack/react-query';
import { readAllPages } from '../api/all-pages.js';
import { answerOf, api } from '../api/client.js';
import { problemFrom } from '../api/problem.js';
import type { Worker } from '../api/types.js';

const REFRESH_MS = 4_000;
const MAX_PAGES = 10;

/** All workers, at most 1,000. */
export const workersQuery = (isAllowed: boolean) =>
  queryOptions({
    queryKey: ['workers'],
    enabled: isAllowed,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) =>
      readAllPages<Worker>(
        (query) => answerOf(api.GET('/api/workers/', { params: { query }, signal })),
        MAX_PAGES,
      ),
  });

/** Null while database and queue answer, else a sentence on the one that does not. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  refetchInterval: 2 * REFRESH_MS,
  queryFn: async ({ signal }): Promise<string | null> => {
    const { error, response } = await api.GET('/readyz', { signal });
    return response.ok ? null : problemFrom(response.status, error).message;
  },
});
