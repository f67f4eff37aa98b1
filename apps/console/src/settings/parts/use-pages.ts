import { useInfiniteQuery } from '@tanstack/react-query';
import type { PageOf } from '../../api/all-pages.js';

interface PageQuestion {
  readonly limit: number;
  readonly cursor?: string;
}

const PAGE = 100;

/** A list of the service in pages, which are read as the reader comes near the end. */
export function usePages<Row>(
  key: readonly unknown[],
  read: (query: PageQuestion, signal: AbortSignal) => Promise<PageOf<Row>>,
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}
