import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';

/** Versions of an agent, newest first; at most 100. */
export const versionsQuery = (agent: number) =>
  queryOptions({
    queryKey: ['agent', agent, 'versions', 'newest'],
    staleTime: 10_000,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/agents/{id}/versions/', {
          params: { path: { id: agent }, query: { limit: 100 } },
          signal,
        }),
      ),
  });
