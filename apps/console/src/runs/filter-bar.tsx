import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { clsx } from 'clsx';
import { AgentSelect } from '../ui/agent-select.js';
import { Button } from '../ui/button.js';
import { IdFilter } from '../ui/id-filter.js';
import { SinceSelect } from '../ui/since-select.js';
import { STATUS_LOOK } from '../ui/status.js';
import { MORE_FILTERS, MORE_NAMES, type MoreName } from './more-filters.js';
import { MoreFiltersMenu } from './more-filters-menu.js';
import {
  isFiltered,
  STATUSES,
  statusesOf,
  withStatusToggled,
  type RunsFilter,
  type Since,
} from './runs-filter.js';

const SINCE_WORDS: Readonly<Record<Since, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
};

/** Filters of the runs, which are in the address of the page and so can be sent to a colleague. */
export function FilterBar({ filter }: { readonly filter: RunsFilter }) {
  const navigate = useNavigate();
  const show = (next: RunsFilter): void => void navigate({ to: '/runs', search: next, replace: true });
  const { agent: _agent, agentVersion: _version, ...withoutAgent } = filter;
  const { since: _since, ...withoutSince } = filter;
  const { session: _session, ...withoutSession } = filter;
  return (
    <div
      className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2"
      role="search"
      aria-label="Filters"
    >
      <StatusFilter filter={filter} onChange={show} />
      <AgentSelect
        agent={filter.agent}
        className="w-36"
        onChange={(chosen) => show({ ...withoutAgent, ...chosen })}
      />
      <SinceSelect
        since={filter.since}
        words={SINCE_WORDS}
        onChange={(chosen) => show({ ...withoutSince, ...chosen })}
      />
      <IdFilter
        label="Session"
        id={filter.session}
        onChange={(session) => show({ ...withoutSession, ...(session === undefined ? {} : { session }) })}
      />
      <MoreFiltersMenu filter={filter} onChange={show} />
      {MORE_NAMES.map((name) => (
        <GivenFilter key={name} name={name} filter={filter} onChange={show} />
      ))}
      {isFiltered(filter) && (
        <Button look="quiet" onClick={() => show({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface PartProps {
  readonly filter: RunsFilter;
  readonly onChange: (next: RunsFilter) => void;
}

function StatusFilter({ filter, onChange }: PartProps) {
  const chosen = statusesOf(filter.status);
  return (
    <div role="group" aria-label="Status" className="flex flex-wrap gap-1">
      {STATUSES.map((status) => {
        const { word, icon: Icon, colour } = STATUS_LOOK[status];
        const isOn = chosen.includes(status);
        return (
          <button
            key={status}
            type="button"
            aria-pressed={isOn}
            onClick={() => onChange(withStatusToggled(filter, status))}
            className={clsx(
              'inline-flex h-8 items-center gap-1.5 rounded-md border px-1.5',
              isOn ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
            )}
          >
            <Icon aria-hidden className={clsx('size-3.5', colour)} />
            <span className="max-xl:sr-only">{word}</span>
          </button>
        );
      })}
    </div>
  );
}

/** A typed filter, with a way to take it off. */
function GivenFilter({ name, filter, onChange }: PartProps & { readonly name: MoreName }) {
  const { [name]: value, ...rest } = filter;
  if (value === undefined) return null;
  return (
    <Button title={value} className="max-w-64" onClick={() => onChange(rest)}>
      {MORE_FILTERS[name].label} <span className="truncate font-mono text-sm">{value}</span>
      <X aria-label="Remove" className="size-3.5" />
    </Button>
  );
}
