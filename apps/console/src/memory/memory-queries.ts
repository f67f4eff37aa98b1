import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import { versionedAnswerOf } from '../api/versioned.js';
import { queryOf, type MemoryFilter } from './memory-filter.js';

const PAGE = 100;

/** Memories of a filter in pages, oldest first. */
export const memoriesQuery = (given: MemoryFilter) => {
  const filter = queryOf(given);
  return infiniteQueryOptions({
    queryKey: ['memories', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET('/api/memories/', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
};

/** A memory with its version. */
export const memoryQuery = (id: number) =>
  queryOptions({
    queryKey: ['memory', id],
    queryFn: ({ signal }) =>
      versionedAnswerOf(api.GET('/api/memories/{id}/', { params: { path: { id } }, signal })),
  });
