import { useMemo } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RunStep } from '../api/types.js';
import { stepsQuery } from '../api/runs.js';

export interface StepsQuery {
  readonly steps: readonly RunStep[];
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  readonly readMore: () => void;
}

/** Steps of a run, as many pages as were asked for. */
export function useSteps(id: string, isOver: boolean): StepsQuery {
  const query = useInfiniteQuery(stepsQuery(id, isOver));
  const pages = query.data?.pages;
  const steps = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages]);
  return {
    steps,
    isPending: query.isPending,
    isError: query.isError,
    error: query.error,
    retry: () => void query.refetch(),
    readMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage && !query.isError) void query.fetchNextPage();
    },
  };
}
