import { useState, type ReactNode } from 'react';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import { toolServersQuery } from '../api/tools.js';
import type { Connection } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { consentOf } from '../tool-server/server-needs.js';
import { Button } from '../ui/button.js';
import { Input, Select } from '../ui/field.js';
import { Empty, ProblemNotice } from '../ui/notice.js';
import { ConnectUser } from './connect-user.js';
import { ConnectionRow } from './connection-row.js';
import { CONNECTION_STATES, withPart, type ToolsSearch } from './tools-search.js';

const WAITING_REFRESH_MS = 10_000;

const connectionsQuery = ({ state, user }: ToolsSearch) =>
  infiniteQueryOptions({
    queryKey: ['connections', state, user],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 50,
        ...(pageParam !== null && { cursor: pageParam }),
        ...(state !== undefined && { status: state }),
        ...(user !== undefined && { user_id: user }),
      };
      return answerOf(api.GET('/api/connections/', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Users agree elsewhere.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(({ status }) => status === 'pending')) === true
        ? WAITING_REFRESH_MS
        : false,
  });

interface ConnectionsTabProps {
  readonly search: ToolsSearch;
  readonly onShow: (search: ToolsSearch) => void;
}

/** Users who let a tool server be used on their behalf. */
export function ConnectionsTab(props: ConnectionsTabProps) {
  const missingScope = useMissingScope('connections:write');
  if (missingScope !== null) {
    return (
      <Empty title="Connections cannot be read with this key">
        <p className="text-muted">{missingScope}.</p>
      </Empty>
    );
  }
  return <Connections {...props} />;
}

function Connections({ search, onShow }: ConnectionsTabProps) {
  const connections = useInfiniteQuery(connectionsQuery(search));
  const servers = useQuery(toolServersQuery);
  const [isConnecting, setIsConnecting] = useState(false);
  const rows = connections.data?.pages.flatMap(({ data }) => data) ?? [];
  const perUser = (servers.data ?? []).filter((server) => consentOf(server) === 'each user');
  const isFiltered = search.state !== undefined || search.user !== undefined;
  return (
    <>
      <FilterBar search={search} onShow={onShow}>
        <Button
          unavailable={perUser.length === 0 ? 'No server is used on behalf of users' : null}
          onClick={() => setIsConnecting(true)}
        >
          Connect a user …
        </Button>
      </FilterBar>
      {isConnecting && <ConnectUser servers={perUser} onClose={() => setIsConnecting(false)} />}
      {connections.isError && rows.length === 0 && (
        <ProblemNotice
          error={connections.error}
          title="The connections could not be read"
          onRetry={() => void connections.refetch()}
        />
      )}
      {connections.isSuccess && rows.length === 0 && (
        <Empty title={isFiltered ? 'No connection matches the filters' : 'No connections yet'}>
          {isFiltered ? (
            <Button onClick={() => onShow({ tab: 'connections' })}>Clear the filters</Button>
          ) : (
            <p className="text-muted">
              A server whose OAuth grant is <span className="font-mono text-sm">authorization_code</span> is
              used on behalf of users who agree to it.
            </p>
          )}
        </Empty>
      )}
      {rows.length > 0 && (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <ul aria-label="Connections">
            {rows.map((row) => (
              <ConnectionRow
                key={row.id}
                connection={row}
                serverName={servers.data?.find(({ id }) => id === row.server_id)?.name ?? row.server_id}
              />
            ))}
          </ul>
          {connections.hasNextPage && (
            <Button
              look="quiet"
              className="m-2"
              disabled={connections.isFetchingNextPage}
              onClick={() => void connections.fetchNextPage()}
            >
              More
            </Button>
          )}
          {connections.isFetchNextPageError && <ProblemNotice error={connections.error} />}
        </div>
      )}
    </>
  );
}

function FilterBar({ search, onShow, children }: ConnectionsTabProps & { readonly children: ReactNode }) {
  return (
    <div
      role="search"
      aria-label="Filters"
      className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2"
    >
      <Input
        type="search"
        aria-label="User"
        placeholder="User, exactly"
        defaultValue={search.user ?? ''}
        className="w-48"
        onBlur={({ target }) => onShow(withPart(search, 'user', target.value.trim()))}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') onShow(withPart(search, 'user', currentTarget.value.trim()));
        }}
      />
      <Select
        aria-label="State"
        className="w-40"
        value={search.state ?? ''}
        onChange={({ target }) =>
          onShow(
            withPart(
              search,
              'state',
              target.value === '' ? undefined : (target.value as Connection['status']),
            ),
          )
        }
      >
        <option value="">Every state</option>
        {CONNECTION_STATES.map((state) => (
          <option key={state} value={state}>
            {state.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
      <div className="flex-1" />
      {children}
    </div>
  );
}
