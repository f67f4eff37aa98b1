import { useCallback } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { readAllPages } from './all-pages.js';
import { answerOf, api } from './client.js';
import type { Agent } from './types.js';

const MAX_PAGES = 20;

/** All agents of the tenant, inactive ones too, for names beside ids and for choices; at most 2,000. */
export const agentsQuery = queryOptions({
  queryKey: ['agents', 'all'],
  staleTime: 60_000,
  queryFn: () =>
    readAllPages<Agent>(async (page) => {
      const query = { ...page, include_inactive: 'true' as const };
      const answer = await answerOf(api.GET('/api/agents/', { params: { query } }));
      return Array.isArray(answer) ? { data: answer, next_cursor: null } : answer;
    }, MAX_PAGES),
});

/** Versions of an agent, newest first; at most 100. */
export const newestVersionsQuery = (agent: number) =>
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

/** Names agents by their ids; an agent that is not known, or not yet, by its number. */
export function useAgentName(): (id: number) => string {
  const { data } = useQuery(agentsQuery);
  return useCallback((id) => data?.find((agent) => agent.id === id)?.name ?? `agent ${id}`, [data]);
}
