import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { toolsQuery } from '../api/tools.js';
import type { Effect, Tool } from '../api/types.js';
import { Button } from '../ui/button.js';
import { DataList, type Column } from '../ui/data-list.js';
import { EffectBadge } from '../ui/effect.js';
import { Input, Select } from '../ui/field.js';
import { Command, Empty, ProblemNotice, Reading } from '../ui/notice.js';
import { EFFECTS, filterTools, sourceOf, withPart, type ToolsSearch } from './tools-search.js';

const COLUMNS: readonly Column<Tool>[] = [
  {
    id: 'name',
    header: 'Tool',
    track: 'minmax(7rem, 18rem)',
    cell: ({ name, tool }) => (
      <Link to="/tools/$name" params={{ name }} title={name} className="font-mono text-sm hover:underline">
        {tool ?? name}
      </Link>
    ),
  },
  { id: 'effect', header: 'Effect', track: '6.5rem', cell: ({ effect }) => <EffectBadge effect={effect} /> },
  {
    id: 'approval',
    header: 'Approval',
    track: '5.5rem',
    from: 640,
    cell: ({ approval }) => (approval ? 'asks' : ''),
  },
  {
    id: 'source',
    header: 'Source',
    track: 'minmax(5rem, 9rem)',
    cell: (tool) => <Source tool={tool} />,
  },
  {
    id: 'description',
    header: 'Description',
    track: 'minmax(8rem, 1fr)',
    from: 760,
    cell: ({ description }) => <span className="text-muted">{description.slice(0, 300)}</span>,
  },
];

interface ToolsTabProps {
  readonly search: ToolsSearch;
  readonly onShow: (search: ToolsSearch) => void;
}

/** All tools that an agent may name. */
export function ToolsTab({ search, onShow }: ToolsTabProps) {
  const navigate = useNavigate();
  const tools = useQuery(toolsQuery);
  const rows = filterTools(tools.data ?? [], search);
  return (
    <>
      <FilterBar search={search} onShow={onShow} tools={tools.data ?? []} />
      {tools.isPending && <Reading />}
      {tools.isError && tools.data === undefined && (
        <ProblemNotice
          error={tools.error}
          title="The tools could not be read"
          onRetry={() => void tools.refetch()}
        />
      )}
      {tools.isSuccess && rows.length === 0 && (
        <NoTools hasAny={tools.data.length > 0} onClear={() => onShow({})} />
      )}
      {rows.length > 0 && (
        <DataList
          label="Tools"
          rows={rows}
          columns={COLUMNS}
          rowKey={({ name }) => name}
          onOpen={({ name }) => void navigate({ to: '/tools/$name', params: { name } })}
        />
      )}
    </>
  );
}

function Source({ tool }: { readonly tool: Tool }) {
  if (tool.server === null) return <span className="text-muted">built in</span>;
  return (
    <>
      {tool.server.name}
      {tool.is_stale && (
        <span title="The server was changed since it was probed" className="text-action">
          {' '}
          stale
        </span>
      )}
    </>
  );
}

function FilterBar({ search, onShow, tools }: ToolsTabProps & { readonly tools: readonly Tool[] }) {
  const sources = [...new Set(tools.map(sourceOf))].toSorted();
  const { q, effect, source } = search;
  const isFiltered = q !== undefined || effect !== undefined || source !== undefined;
  return (
    <div
      role="search"
      aria-label="Filters"
      className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2"
    >
      <Input
        type="search"
        aria-label="Name or description"
        placeholder="Name or description"
        value={q ?? ''}
        className="w-56"
        onChange={({ target }) => onShow(withPart(search, 'q', target.value))}
      />
      <Select
        aria-label="Effect"
        className="w-36"
        value={effect ?? ''}
        onChange={({ target }) =>
          onShow(withPart(search, 'effect', target.value === '' ? undefined : (target.value as Effect)))
        }
      >
        <option value="">Every effect</option>
        {EFFECTS.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Source"
        className="w-40"
        value={source ?? ''}
        onChange={({ target }) => onShow(withPart(search, 'source', target.value))}
      >
        <option value="">Every source</option>
        {sources.map((each) => (
          <option key={each} value={each}>
            {each === 'builtin' ? 'built in' : each}
          </option>
        ))}
      </Select>
      {isFiltered && (
        <Button look="quiet" onClick={() => onShow({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

function NoTools({ hasAny, onClear }: { readonly hasAny: boolean; readonly onClear: () => void }) {
  if (hasAny) {
    return (
      <Empty title="No tool matches the filters">
        <Button onClick={onClear}>Clear the filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No tools yet">
      <p className="text-muted">
        Tools come from tool servers: MCP, or any HTTP service with a description.{' '}
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
