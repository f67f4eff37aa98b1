import { useState } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { mergeNewest } from './merge-newest.js';
import { readDeliveries } from '../webhook-queries.js';
import type { DeliveryFilter } from '../webhooks-search.js';

const REFRESH_MS = 3_000;

/**
 * The deliveries of a filter in pages, kept current by reading the newest page again and again. Rows never move by
 * themselves: new ones wait in `fresh` until `restart`, or come by themselves while the reader is at the top.
 */
export function useDeliveries(filter: DeliveryFilter, isAtTop: boolean) {
  const [startedAt, setStartedAt] = useState(0);
  const key = ['webhook-deliveries', filter, startedAt] as const;
  const pages = useInfiniteQuery({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => readDeliveries(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const head = useQuery({
    queryKey: [...key, 'head'],
    queryFn: ({ signal }) => readDeliveries(filter, null, signal),
    refetchInterval: REFRESH_MS,
    enabled: pages.isSuccess,
  });
  const known = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const merged = mergeNewest(known, head.data?.data ?? [], head.data?.has_more ?? false);
  const comesByItself = isAtTop && !merged.hasGap;
  return {
    pages,
    rows: comesByItself ? [...merged.fresh, ...merged.rows] : merged.rows,
    fresh: comesByItself ? 0 : merged.fresh.length,
    hasGap: merged.hasGap,
    /** Reads the list anew from its top. */
    restart: () => setStartedAt(Date.now()),
  };
}
