import { queryOptions } from '@tanstack/react-query';
import { readAllPages } from './all-pages.js';
import { answerOf, api } from './client.js';
import type { Tool } from './types.js';

/** All tools that an agent may name, by name; at most 5,000. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  staleTime: 30_000,
  queryFn: ({ signal }): Promise<Tool[]> =>
    readAllPages((query) => answerOf(api.GET('/api/tools/', { params: { query }, signal }))),
});

/** All tool servers of the tenant, newest first, without their documents. */
export const toolServersQuery = queryOptions({
  queryKey: ['tool-servers', 'all'],
  staleTime: 10_000,
  queryFn: ({ signal }) =>
    readAllPages((query) => answerOf(api.GET('/api/mcp-servers/', { params: { query }, signal }))),
});
