import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAgentName } from '../api/agents.js';
import { answerOf, api } from '../api/client.js';
import { Button } from '../ui/button.js';
import { DataList } from '../ui/data-list.js';
import { NotCurrent } from '../ui/live.js';
import { Command, Empty, ProblemNotice, Reading } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { sessionColumns } from './columns.js';
import { FilterBar } from './filter-bar.js';
import { isFiltered, queryOf, type SessionsFilter } from './sessions-filter.js';

const route = getRouteApi('/sessions');

const PAGE = 50;
const REFRESH_MS = 5_000;

/** Conversations, newest first; read anew only while the reader is at the top, so that no row moves under the pointer. */
export function SessionsScreen() {
  const filter = route.useSearch();
  const navigate = useNavigate();
  const agentName = useAgentName();
  const [isAtTop, setIsAtTop] = useState(true);
  const pages = useSessions(filter, isAtTop);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <ScreenHeader title="Sessions">
        {pages.isRefetchError && <NotCurrent error={pages.error} />}
      </ScreenHeader>
      <FilterBar filter={filter} />
      {pages.isPending && <Reading />}
      {pages.isError && rows.length === 0 && (
        <ProblemNotice
          error={pages.error}
          title="The sessions could not be read"
          onRetry={() => void pages.refetch()}
        />
      )}
      {pages.isSuccess && rows.length === 0 && <NoSessions filter={filter} />}
      {rows.length > 0 && (
        <DataList
          label="Sessions"
          rows={rows}
          columns={sessionColumns(agentName)}
          rowKey={({ uuid }) => uuid}
          onOpen={({ uuid }) => void navigate({ to: '/sessions/$uuid', params: { uuid } })}
          onScrolled={setIsAtTop}
          onNearEnd={() => {
            if (pages.hasNextPage && !pages.isFetching && !pages.isError) void pages.fetchNextPage();
          }}
          footer={
            pages.isFetchNextPageError ? (
              <ProblemNotice error={pages.error} onRetry={() => void pages.fetchNextPage()} />
            ) : null
          }
        />
      )}
    </>
  );
}

function useSessions(filter: SessionsFilter, isAtTop: boolean) {
  return useInfiniteQuery({
    queryKey: ['sessions', filter],
    queryFn: ({ pageParam, signal }) => {
      const of = { limit: PAGE, ...queryOf(filter, Date.now()) };
      const query = { ...of, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET('/api/sessions/', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => (isAtTop && (state.data?.pages.length ?? 0) <= 2 ? REFRESH_MS : false),
  });
}

function NoSessions({ filter }: { readonly filter: SessionsFilter }) {
  const navigate = useNavigate();
  if (isFiltered(filter)) {
    return (
      <Empty
        title={filter.archived === true ? 'No archived session matches' : 'No session matches the filters'}
      >
        <Button onClick={() => void navigate({ to: '/sessions', search: {} })}>Clear the filters</Button>
      </Empty>
    );
  }
  const { origin } = location;
  return (
    <Empty title="No sessions yet">
      <p className="text-muted">
        A session begins with a request that names none. Start one in{' '}
        <Button className="h-6 px-2" onClick={() => void navigate({ to: '/try' })}>
          Try
        </Button>{' '}
        or from a terminal:
      </p>
      <Command
        text={`curl -s ${origin}/api/agents/1/execute/ \\\n  -H 'content-type: application/json' -d '{"input": "Good morning!"}'`}
      />
    </Empty>
  );
}
