import { useMemo } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { stepsQuery } from '../../api/runs.js';
import type { RunStep } from '../../api/types.js';
import { stepQuery } from '../run-queries.js';

interface StepsQuery {
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

/** One step by its key; null while none is named, is read or is there. */
export function useStep({
  id,
  key,
  isOver,
}: {
  id: string;
  key: string | null;
  isOver: boolean;
}): RunStep | null {
  const query = useQuery({ ...stepQuery(id, key ?? '', isOver), enabled: key !== null });
  return key === null ? null : (query.data ?? null);
}
