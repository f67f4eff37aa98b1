import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import type { Llm } from '../api/types.js';
import { versionedAnswerOf } from '../api/versioned.js';
import { isUnderWay, statesOf, type StateGroup } from './document-state.js';

const PAGE = 100;
const REFRESH_MS = 2_500;

const pageQuery = (cursor: string | null) => ({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
const cursors = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
};

/** Datasources in pages, oldest first. */
export const datasourcesQuery = infiniteQueryOptions({
  queryKey: ['datasources'],
  queryFn: ({ pageParam, signal }) =>
    answerOf(api.GET('/api/datasources/', { params: { query: pageQuery(pageParam) }, signal })),
  ...cursors,
});

/** A datasource with its version. */
export const datasourceQuery = (id: number) =>
  queryOptions({
    queryKey: ['datasource', id],
    queryFn: ({ signal }) =>
      versionedAnswerOf(api.GET('/api/datasources/{id}/', { params: { path: { id } }, signal })),
  });

/** Documents of a datasource in pages, oldest first; read again while any of them is under way. */
export const documentsQuery = (datasourceId: number, group: StateGroup | undefined) =>
  infiniteQueryOptions({
    queryKey: ['datasource', datasourceId, 'documents', group ?? 'all'],
    queryFn: ({ pageParam, signal }) => {
      const states = group === undefined ? {} : { state: statesOf(group) };
      const query = { ...pageQuery(pageParam), datasource_id: datasourceId, ...states };
      return answerOf(api.GET('/api/documents/', { params: { query }, signal }));
    },
    ...cursors,
    // All pages are read again: many of them only now and then.
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? [];
      if (!pages.some((page) => page.data.some(isUnderWay))) return false;
      return pages.length > 3 ? 4 * REFRESH_MS : REFRESH_MS;
    },
  });

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['document', id],
    queryFn: ({ signal }) => answerOf(api.GET('/api/documents/{id}/', { params: { path: { id } }, signal })),
  });

/** Chunks of the generation of a document that is searched, in pages. */
export const chunksQuery = (id: string, liveGeneration: number | null) =>
  infiniteQueryOptions({
    queryKey: ['document', id, 'chunks', liveGeneration],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/api/documents/{id}/chunks/', {
          params: { path: { id }, query: pageQuery(pageParam) },
          signal,
        }),
      ),
    ...cursors,
    staleTime: Infinity,
  });

/** Model configurations that can make vectors; at most 100. */
export const llmChoicesQuery = queryOptions({
  queryKey: ['llms', 'choices'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Llm[]> => {
    const request = api.GET('/api/llms/', { params: { query: { limit: PAGE } }, signal });
    const answer: Llm[] | { data: Llm[] } = await answerOf(request);
    return Array.isArray(answer) ? answer : answer.data;
  },
});
