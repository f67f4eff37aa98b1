import { useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { executionChanges } from '../api/execution-changes.js';
import type { Connection } from '../api/follow-stream.js';
import { waitingRunsQuery } from './waiting-runs.js';

const REFRESH_MS = 4_000;
/** The stream of changes says at once when a run begins to wait, or waits no more. */
const REFRESH_BESIDE_STREAM_MS = 30_000;

/**
 * Runs that wait for a person, kept current by the stream of changes, and without it by reading them again. One part of the
 * page uses it; others read `waitingRunsQuery`, which is the same list.
 * @param isAside whether the stream is only used where another part of the page follows it
 */
export function useWaitingRuns(isAside: boolean) {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    const { queryKey } = waitingRunsQuery;
    const isKnown = (id: string): boolean =>
      queries.getQueryData(queryKey)?.data.some((run) => run.id === id) ?? false;
    return executionChanges.listen({
      isAside,
      onStandings: (standings) => {
        const isAboutThese = standings.some(
          ({ id, status }) => (status === 'requires_action') !== isKnown(id),
        );
        if (isAboutThese) void queries.invalidateQueries({ queryKey });
      },
      onMissed: () => void queries.invalidateQueries({ queryKey }),
      onConnection: setConnection,
    });
  }, [isAside, queries]);
  const refetchInterval = connection === 'live' ? REFRESH_BESIDE_STREAM_MS : REFRESH_MS;
  return useQuery({ ...waitingRunsQuery, refetchInterval });
}
