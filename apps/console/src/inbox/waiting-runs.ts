import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';

const REFRESH_MS = 4_000;

/** Runs that wait for a person, those that have waited longest first; at most 100. */
export const waitingRunsQuery = queryOptions({
  queryKey: ['waiting-runs'],
  refetchInterval: REFRESH_MS,
  queryFn: ({ signal }) =>
    answerOf(
      api.GET('/api/executions/', {
        params: { query: { status: 'requires_action', limit: 100, sort: 'created_at' } },
        signal,
      }),
    ),
});
