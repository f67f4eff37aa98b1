import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import { executionChanges } from '../api/execution-changes.js';
import type { Connection } from '../api/follow-stream.js';
import type { Standing } from '../api/types.js';
import { mergeRuns, type Reading, type ReceivedStanding } from './merge-runs.js';
import { afterAbout, PacedWork } from './paced-work.js';
import { concerns, queryOf, type RunsFilter } from './runs-filter.js';

const PAGE = 50;
/** The stream says what changed; without it the newest page is read from time to time. */
const FALLBACK_MS = 10_000;
/** Least time between two readings that the stream brings about, from the end of one to the next. */
const PAUSE_MS = 1_000;

/** How current the list is; `polled`: the stream is down, and the list is read every 10 s. */
const CURRENCY = {
  live: 'live',
  connecting: 'connecting',
  interrupted: 'polled',
  ended: 'polled',
} as const satisfies Record<Connection, string>;

/** Reads one page of the runs that match the filter. */
async function readPage(filter: RunsFilter, cursor: string | null, signal?: AbortSignal) {
  const askedAt = Date.now();
  const query = { limit: PAGE, ...queryOf(filter, askedAt), ...(cursor === null ? {} : { cursor }) };
  const answer = await answerOf(
    api.GET('/api/executions/', { params: { query }, ...(signal === undefined ? {} : { signal }) }),
  );
  return { ...answer, askedAt };
}

/**
 * The runs of a filter in pages, kept current by the stream of changes. Rows never move by themselves: new runs wait in
 * `fresh` until `restart`, or come by themselves while the reader is at the top.
 */
export function useRuns(filter: RunsFilter, isAtTop: boolean) {
  const [startedAt, setStartedAt] = useState(0);
  const [connection, setConnection] = useState<Connection>('connecting');
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
    refetchInterval: connection === 'live' ? false : FALLBACK_MS,
    enabled: pages.isSuccess,
  });
  const { again, standings } = useChanges({ filter, pages: pages.data, onConnection: setConnection, head });
  const merged = useMemo(
    () => mergeRuns({ pages: pages.data?.pages ?? [], head: head.data ?? null, again, standings }),
    [pages.data, head.data, again, standings],
  );
  const comesByItself = isAtTop && !merged.hasGap;
  return {
    pages,
    currency: CURRENCY[connection],
    error: head.error,
    rows: comesByItself ? [...merged.fresh, ...merged.rows] : merged.rows,
    fresh: comesByItself ? 0 : merged.fresh.length,
    hasGap: merged.hasGap,
    /** Reads the list anew from its top. */
    restart: () => setStartedAt(Date.now()),
  };
}

const cursorOf = (pageParam: unknown): string | null => (typeof pageParam === 'string' ? pageParam : null);

interface Followed {
  readonly filter: RunsFilter;
  readonly pages: { readonly pages: readonly Reading[]; readonly pageParams: readonly unknown[] } | undefined;
  readonly head: { readonly refetch: () => Promise<unknown> };
  readonly onConnection: (connection: Connection) => void;
}

/** Listens to the stream of changes, and has those pages read once more that hold what changed. */
function useChanges({ filter, pages, head, onConnection }: Followed) {
  const [again, setAgain] = useState<readonly Reading[]>([]);
  const [standings, setStandings] = useState<ReadonlyMap<string, ReceivedStanding>>(new Map());
  const readAgain = useEffectEvent(async (ids: ReadonlySet<string>): Promise<void> => {
    const readOne = async (cursor: string | null): Promise<void> => {
      const page = await readPage(filter, cursor);
      setAgain((before) => [...before.slice(-20), page]);
    };
    const others = (pages?.pages ?? []).flatMap(({ data }, index) =>
      // The head is the first page.
      index > 0 && data.some(({ id }) => ids.has(id)) ? [readOne(cursorOf(pages?.pageParams[index]))] : [],
    );
    await Promise.allSettled([head.refetch(), ...others]);
  });
  /** Keeps the changes that concern the list, and returns the ids of their runs. */
  const keep = useEffectEvent((received: readonly Standing[]): string[] => {
    const concerning = received.filter((standing) => concerns(filter, standing));
    if (concerning.length === 0) return [];
    const receivedAt = Date.now();
    const shown = new Set(pages?.pages.flatMap(({ data }) => data.map(({ id }) => id)));
    setStandings((before) => {
      const next = new Map([...before].filter(([id]) => shown.has(id)));
      for (const standing of concerning) next.set(standing.id, { receivedAt, standing });
      return next;
    });
    return concerning.map(({ id }) => id);
  });
  useEffect(() => {
    const changed = new Set<string>();
    const readings = new PacedWork(() => {
      const ids = new Set(changed);
      changed.clear();
      return readAgain(ids);
    }, afterAbout(PAUSE_MS));
    const stop = executionChanges.listen({
      onStandings: (received) => {
        const ids = keep(received);
        ids.forEach((id) => changed.add(id));
        if (ids.length > 0) readings.ask();
      },
      onMissed: () => readings.ask(),
      onConnection,
    });
    return () => {
      stop();
      readings.forget();
    };
  }, [onConnection]);
  return { again, standings };
}
