import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { toolServersQuery, toolsQuery } from '../api/tools.js';
import type { Tool, ToolServer } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { ProbeState } from '../tool-server/probe-state.js';
import { addressOf, needsNothing, needsOf } from '../tool-server/server-needs.js';
import { useProbe } from '../tool-server/use-probe.js';
import { ActiveState } from '../ui/active-state.js';
import { Button } from '../ui/button.js';
import { DataList, type Column } from '../ui/data-list.js';
import { Command, Empty, ProblemNotice, Reading } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { ConsentState } from './consent-state.js';

/** Tool servers of the tenant, with what is known of them. */
export function ServersTab() {
  const navigate = useNavigate();
  const servers = useQuery(toolServersQuery);
  const tools = useQuery(toolsQuery);
  const rows = servers.data ?? [];
  if (servers.isError && rows.length === 0) {
    return (
      <ProblemNotice
        error={servers.error}
        title="The tool servers could not be read"
        onRetry={() => void servers.refetch()}
      />
    );
  }
  if (servers.isPending) {
    return <Reading />;
  }
  if (rows.length === 0) return <NoServers />;
  return (
    <DataList
      label="Tool servers"
      rows={rows}
      columns={columnsOf(tools.data ?? [])}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/tools/servers/$id', params: { id } })}
    />
  );
}

function columnsOf(tools: readonly Tool[]): Column<ToolServer>[] {
  return [
    {
      id: 'name',
      header: 'Server',
      track: 'minmax(6rem, 11rem)',
      cell: ({ id, name }) => (
        <Link to="/tools/servers/$id" params={{ id }} className="font-medium hover:underline">
          {name}
        </Link>
      ),
    },
    { id: 'type', header: 'Protocol', track: '5rem', cell: ({ type }) => type },
    {
      id: 'state',
      header: 'State',
      track: '5.5rem',
      from: 480,
      cell: ({ status }) => <ActiveState isActive={status === 'active'} />,
    },
    {
      id: 'address',
      header: 'Address',
      track: 'minmax(8rem, 1fr)',
      from: 900,
      cell: (server) => <span className="text-muted">{addressOf(server)}</span>,
    },
    {
      id: 'consent',
      header: 'Consent',
      track: '9rem',
      from: 760,
      cell: (server) => <ConsentState server={server} />,
    },
    {
      id: 'probe',
      header: 'Last probe',
      track: 'minmax(8rem, 14rem)',
      from: 620,
      cell: (server) => (
        <LastProbe server={server} listed={tools.filter((tool) => tool.server?.id === server.id)} />
      ),
    },
    {
      id: 'action',
      header: 'Probe',
      track: '5.5rem',
      isNumber: true,
      cell: (server) => <ProbeButton server={server} />,
    },
  ];
}

function LastProbe({ server, listed }: { readonly server: ToolServer; readonly listed: readonly Tool[] }) {
  const { known } = useProbe(server.id);
  if (known !== null) return <ProbeState probe={known.probe} />;
  const [first] = listed;
  if (first === undefined) return <span className="text-muted">not known</span>;
  return (
    <span className="text-muted">
      {listed.length} {listed.length === 1 ? 'tool' : 'tools'}
      {first.listed_at !== null && (
        <>
          , <Time at={first.listed_at} />
        </>
      )}
      {first.is_stale && <span className="text-action"> stale</span>}
    </span>
  );
}

/** Probes at once where nothing has to be brought; else it leads to where that can be typed. */
function ProbeButton({ server }: { readonly server: ToolServer }) {
  const navigate = useNavigate();
  const missingScope = useMissingScope('agents:write');
  const { probing } = useProbe(server.id);
  return (
    <Button
      className="h-7 px-2"
      aria-label={`Probe ${server.name}`}
      unavailable={missingScope}
      disabled={probing.isPending}
      onClick={() => {
        if (needsNothing(needsOf(server))) probing.mutate({ tokens: {} });
        else void navigate({ to: '/tools/servers/$id', params: { id: server.id } });
      }}
    >
      <RefreshCw aria-hidden className={probing.isPending ? 'size-3.5 animate-spin' : 'size-3.5'} /> Probe
    </Button>
  );
}

function NoServers() {
  return (
    <Empty title="No tool servers yet">
      <p className="text-muted">
        A tool server offers tools to agents: by MCP, or as an HTTP service with a description.{' '}
        <Link to="/tools/servers/new" className="text-accent underline">
          Register one here
        </Link>
        , or by the API:
      </p>
      <Command
        text={`curl -s ${location.origin}/api/mcp-servers/ -H 'content-type: application/json' \\\n  -d '{"name": "crm", "type": "http", "config": {"url": "https://crm.example.com/mcp"}}'`}
      />
    </Empty>
  );
}
