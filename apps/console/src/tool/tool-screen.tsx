import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { agentsQuery } from '../api/agents.js';
import { toolServersQuery, toolsQuery } from '../api/tools.js';
import type { Tool } from '../api/types.js';
import { maySelect } from '../agent/draft/tool-selection.js';
import { CopyButton } from '../ui/copy-button.js';
import { EffectBadge } from '../ui/effect.js';
import { JsonView } from '../ui/json-view.js';
import { useKeys } from '../ui/keys.js';
import { LongText } from '../ui/long-text.js';
import { Empty, ProblemNotice, Reading } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { SchemaTable } from './schema-table.js';
import { TrySection } from './try-section.js';

const route = getRouteApi('/tools/$name');

export function ToolScreen() {
  const { name } = route.useParams();
  const navigate = useNavigate();
  const tools = useQuery(toolsQuery);
  useKeys({ Escape: () => void navigate({ to: '/tools' }) });
  const tool = tools.data?.find((each) => each.name === name);
  if (tool !== undefined) return <ToolPage key={name} tool={tool} />;
  if (tools.isError) {
    return (
      <ProblemNotice
        error={tools.error}
        title="The tool could not be read"
        onRetry={() => void tools.refetch()}
      />
    );
  }
  if (tools.isPending) return <Reading />;
  return (
    <Empty title={`No tool ${name.slice(0, 64)}`}>
      <p className="text-muted">
        Its server may be inactive, or was not probed since it offers the tool.{' '}
        <Link to="/tools" search={{ tab: 'servers' }} className="text-accent underline">
          Servers
        </Link>
      </p>
    </Empty>
  );
}

function ToolPage({ tool }: { readonly tool: Tool }) {
  return (
    <>
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2">
        <h1 className="flex min-w-0 items-center gap-1.5 text-lg font-semibold">
          <Link to="/tools" className="text-muted hover:underline">
            Tools
          </Link>
          <span aria-hidden className="text-muted">
            /
          </span>
          <span className="truncate font-mono text-base" title={tool.name}>
            {tool.name}
          </span>
          <CopyButton text={tool.name} label="Copy the name" />
        </h1>
        <EffectBadge effect={tool.effect} />
        {tool.approval && <span className="text-action">each call asks a person</span>}
        <span className="text-muted">
          <Source tool={tool} />
        </span>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="flex max-w-5xl flex-col gap-6 p-4">
          {tool.description !== '' && (
            <section aria-label="Description">
              <LongText text={tool.description} fileName={`${tool.name}.txt`} />
            </section>
          )}
          <section aria-label="Arguments">
            <h2 className="mb-2 font-semibold">Arguments</h2>
            <SchemaTable schema={tool.input_schema} />
            <details className="mt-2">
              <summary className="cursor-pointer text-muted">JSON Schema</summary>
              <JsonView label="Schema" value={tool.input_schema} fileName={`${tool.name}.json`} />
            </details>
          </section>
          <TryPart tool={tool} />
          <UsedBy tool={tool} />
        </div>
      </div>
    </>
  );
}

function Source({ tool }: { readonly tool: Tool }) {
  const { server } = tool;
  if (server === null) return <>built into this installation</>;
  return (
    <>
      from{' '}
      <Link to="/tools/servers/$id" params={{ id: server.id }} className="text-accent underline">
        {server.name}
      </Link>{' '}
      ({server.type})
      {tool.listed_at !== null && (
        <>
          , listed <Time at={tool.listed_at} />
        </>
      )}
      {tool.is_stale && <span className="text-action">, the server was changed since</span>}
    </>
  );
}

/** The API tries tools of servers only: those of the installation need the run that they are part of. */
function TryPart({ tool }: { readonly tool: Tool }) {
  const servers = useQuery(toolServersQuery);
  if (tool.server === null) {
    return (
      <section aria-label="Try it">
        <h2 className="mb-1 font-semibold">Try it</h2>
        <p className="text-muted">A built-in tool belongs to a run: let an agent call it.</p>
      </section>
    );
  }
  const server = servers.data?.find(({ id }) => id === tool.server?.id) ?? null;
  if (servers.isError && server === null) {
    return (
      <ProblemNotice
        error={servers.error}
        title="The server could not be read"
        onRetry={() => void servers.refetch()}
      />
    );
  }
  return server === null ? null : <TrySection tool={tool} server={server} />;
}

function UsedBy({ tool }: { readonly tool: Tool }) {
  const agents = useQuery(agentsQuery);
  const users = (agents.data ?? []).filter(
    ({ is_active: isActive, tools }) => isActive && maySelect(tools, tool),
  );
  return (
    <section aria-label="Agents that may call it">
      <h2 className="mb-1 font-semibold">Agents that may call it</h2>
      {agents.isError && <ProblemNotice error={agents.error} title="The agents could not be read" />}
      {agents.isSuccess && users.length === 0 && <p className="text-muted">None.</p>}
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {users.map(({ id, name }) => (
          <li key={id}>
            <Link to="/agents/$id" params={{ id: String(id) }} className="text-accent underline">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
