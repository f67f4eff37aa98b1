import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';

/** Runs that wait for a person, those that have waited longest first; at most 100. */
export const waitingRunsQuery = queryOptions({
  queryKey: ['waiting-runs'],
  queryFn: ({ signal }) =>
    answerOf(
      api.GET('/api/executions/', {
        params: { query: { status: 'requires_action', limit: 100, sort: 'created_at' } },
        signal,
      }),
    ),
});
