import { useState } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import { mergeRuns } from './merge-runs.js';
import { queryOf, type RunsFilter } from './runs-filter.js';

const PAGE = 50;
const REFRESH_MS = 2_500;

/** Reads one page of the runs that match the filter. */
function readPage(filter: RunsFilter, cursor: string | null, signal: AbortSignal) {
  const query = { limit: PAGE, ...queryOf(filter, Date.now()), ...(cursor === null ? {} : { cursor }) };
  return answerOf(api.GET('/api/executions/', { params: { query }, signal }));
}

/**
 * The runs of a filter in pages, kept current by reading the newest page again and again. Rows never move by themselves:
 * new runs wait in `fresh` until `showFresh`, or come by themselves while the reader is at the top.
 */
export function useRuns(filter: RunsFilter, isAtTop: boolean) {
  const [startedAt, setStartedAt] = useState(0);
  const key = ['runs', filter, startedAt] as const;
  const pages = useInfiniteQuery({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const head = useQuery({
    queryKey: [...key, 'head'],
    queryFn: ({ signal }) => readPage(filter, null, signal),
    refetchInterval: REFRESH_MS,
    enabled: pages.isSuccess,
  });
  const known = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const merged = mergeRuns(known, head.data?.data ?? [], head.data?.has_more ?? false);
  const comesByItself = isAtTop && !merged.hasGap;
  return {
    pages,
    isInterrupted: head.isError,
    rows: comesByItself ? [...merged.fresh, ...merged.rows] : merged.rows,
    fresh: comesByItself ? 0 : merged.fresh.length,
    hasGap: merged.hasGap,
    /** Reads the list anew from its top. */
    restart: () => setStartedAt(Date.now()),
  };
}
