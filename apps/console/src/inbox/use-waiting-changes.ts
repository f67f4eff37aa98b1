import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { executionChanges } from '../api/execution-changes.js';
import { waitingRunsQuery } from './waiting-runs.js';

/** Has the inbox read anew as soon as a run begins to wait for a person, or waits no more. */
export function useWaitingChanges(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const { queryKey } = waitingRunsQuery;
    const isKnown = (id: string): boolean =>
      queries.getQueryData(queryKey)?.data.some((run) => run.id === id) ?? false;
    return executionChanges.listen({
      onStandings: (standings) => {
        const isAboutThese = standings.some(
          ({ id, status }) => (status === 'requires_action') !== isKnown(id),
        );
        if (isAboutThese) void queries.invalidateQueries({ queryKey });
      },
      onMissed: () => void queries.invalidateQueries({ queryKey }),
      onConnection: () => undefined,
    });
  }, [queries]);
}
