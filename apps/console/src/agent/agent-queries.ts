import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readAllPages } from '../api/all-pages.js';
import { answerOf, api } from '../api/client.js';
import { ApiProblem } from '../api/problem.js';

const VERSIONS = '/api/agents/{id}/versions/';
const MINUTE = 60_000;

/** Newest version of an agent, active or not: its content, its number, and when it was saved. */
export const newestVersionQuery = (id: number) =>
  queryOptions({
    queryKey: ['agents', id, 'newest'],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { limit: 1 } };
      const { data } = await answerOf(api.GET(VERSIONS, { params, signal }));
      const [newest] = data;
      if (newest === undefined) {
        throw new ApiProblem(404, 'Not found', 'There is no agent with this id.', 'NOT_FOUND', null);
      }
      return newest;
    },
  });

/** All versions of an agent, newest first, in pages. */
export const versionsQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['agents', id, 'versions'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(pageParam !== null && { cursor: pageParam }) };
      return answerOf(api.GET(VERSIONS, { params: { path: { id }, query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** One version of an agent, which never changes. */
export const versionQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['agents', id, 'version', version],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/agents/{id}/versions/{version}/', { params: { path: { id, version } }, signal }),
      ),
  });

/** All model configurations, inactive ones too. */
export const llmsQuery = queryOptions({
  queryKey: ['llms', 'all'],
  staleTime: MINUTE,
  queryFn: ({ signal }) =>
    readAllPages((query) => answerOf(api.GET('/api/llms/', { params: { query }, signal }))),
});

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  staleTime: 10 * MINUTE,
  queryFn: ({ signal }) => answerOf(api.GET('/api/models/', { signal })),
});

export const strategiesQuery = queryOptions({
  queryKey: ['strategies'],
  staleTime: 10 * MINUTE,
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/strategies/', { signal }))).data,
});

export const datasourcesQuery = queryOptions({
  queryKey: ['datasources', 'all'],
  staleTime: MINUTE,
  queryFn: ({ signal }) =>
    readAllPages((query) => answerOf(api.GET('/api/datasources/', { params: { query }, signal }))),
});
