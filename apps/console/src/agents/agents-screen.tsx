import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { llmsQuery } from '../agent/agent-queries.js';
import { agentsQuery } from '../api/agents.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { DataList } from '../ui/data-list.js';
import { Input } from '../ui/field.js';
import { Command, Empty, ProblemNotice, Reading } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { agentColumns } from './agent-columns.js';
import { filterAgents, type AgentsFilter } from './agents-filter.js';

const route = getRouteApi('/agents');

export function AgentsScreen() {
  const filter = route.useSearch();
  const navigate = useNavigate();
  const agents = useQuery(agentsQuery);
  const llms = useQuery(llmsQuery);
  const rows = filterAgents(agents.data ?? [], filter);
  const show = (next: AgentsFilter): void => void navigate({ to: '/agents', search: next, replace: true });
  return (
    <>
      <ScreenHeader title="Agents">
        <div className="flex-1" />
        <NewAgent />
      </ScreenHeader>
      <FilterBar filter={filter} onChange={show} />
      {agents.isPending && <Reading />}
      {agents.isError && agents.data === undefined && (
        <ProblemNotice
          error={agents.error}
          title="The agents could not be read"
          onRetry={() => void agents.refetch()}
        />
      )}
      {agents.isSuccess && rows.length === 0 && (
        <NoAgents hasAny={agents.data.length > 0} filter={filter} onChange={show} />
      )}
      {rows.length > 0 && (
        <DataList
          label="Agents"
          rows={rows}
          columns={agentColumns(llms.data ?? [])}
          rowKey={({ id }) => String(id)}
          onOpen={({ id }) => void navigate({ to: '/agents/$id', params: { id: String(id) } })}
        />
      )}
    </>
  );
}

function NewAgent() {
  const navigate = useNavigate();
  const missingScope = useMissingScope('agents:write');
  return (
    <Button look="primary" unavailable={missingScope} onClick={() => void navigate({ to: '/agents/new' })}>
      <Plus aria-hidden className="size-3.5" /> New agent
    </Button>
  );
}

interface FilterProps {
  readonly filter: AgentsFilter;
  readonly onChange: (next: AgentsFilter) => void;
}

function FilterBar({ filter, onChange }: FilterProps) {
  const { q = '', ...withoutText } = filter;
  const { inactive = false, ...withoutInactive } = filter;
  return (
    <div
      role="search"
      aria-label="Filters"
      className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2"
    >
      <Input
        type="search"
        aria-label="Name or id"
        placeholder="Name or id"
        value={q}
        className="w-56"
        onChange={({ target }) =>
          onChange(target.value === '' ? withoutText : { ...withoutText, q: target.value })
        }
      />
      <label className="flex h-8 items-center gap-2">
        <input
          type="checkbox"
          checked={inactive}
          className="size-4"
          onChange={({ target }) =>
            onChange(target.checked ? { ...filter, inactive: true } : withoutInactive)
          }
        />
        Inactive too
      </label>
    </div>
  );
}

function NoAgents({ hasAny, filter, onChange }: FilterProps & { readonly hasAny: boolean }) {
  if (hasAny) {
    return (
      <Empty title="No agent matches the filters">
        <Button onClick={() => onChange(filter.q === undefined ? { inactive: true } : {})}>
          {filter.q === undefined ? 'Show inactive ones' : 'Clear the filters'}
        </Button>
      </Empty>
    );
  }
  return (
    <Empty title="No agents yet">
      <p className="text-muted">
        An agent is a model configuration with an instruction and tools.{' '}
        <Link to="/agents/new" className="text-accent underline">
          Make one here
        </Link>
        , or by the API:
      </p>
      <Command
        text={`curl -s ${location.origin}/api/agents/ -H 'content-type: application/json' \\\n  -d '{"name": "Greeter", "usecase_type": "BASIC_CHAT", "llm": 1, "system_prompt": "You greet people."}'`}
      />
    </Empty>
  );
}
