import { useCallback } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.js';
import type { Agent } from './types.js';

const MAX_PAGES = 20;

/** All agents of the tenant, inactive ones too, for names beside ids and for choices; at most 2,000. */
export const agentsQuery = queryOptions({
  queryKey: ['agents', 'all'],
  staleTime: 60_000,
  queryFn: async () => {
    const agents: Agent[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query: { limit: number; include_inactive: 'true'; cursor?: string } = {
        limit: 100,
        include_inactive: 'true',
      };
      if (cursor !== null) query.cursor = cursor;
      const answer: Agent[] | { data: Agent[]; next_cursor: string | null } = await answerOf(
        api.GET('/api/agents/', { params: { query } }),
      );
      if (Array.isArray(answer)) return answer;
      agents.push(...answer.data);
      cursor = answer.next_cursor;
      if (cursor === null) break;
    }
    return agents;
  },
});

/** Names agents by their ids; an agent that is not known, or not yet, by its number. */
export function useAgentName(): (id: number) => string {
  const { data } = useQuery(agentsQuery);
  return useCallback((id) => data?.find((agent) => agent.id === id)?.name ?? `agent ${id}`, [data]);
}
