import { useState, type SubmitEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useAgentName } from '../api/agents.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { Input, Select } from '../ui/field.js';
import { Segments } from '../ui/segments.js';
import {
  faultOfDays,
  MEASURES,
  rangeOf,
  SPLITS,
  WINDOWS,
  type Measure,
  type Split,
  type UsageSearch,
} from './usage-search.js';

export const SPLIT_WORDS: Readonly<Record<Split, string>> = {
  model: 'Model',
  agent: 'Agent',
  executor: 'Executor',
  tenant: 'Tenant',
  scope: 'Sub-agent',
};
const MEASURE_WORDS: Readonly<Record<Measure, string>> = { cost: 'Cost', tokens: 'Tokens', calls: 'Calls' };
const WINDOW_WORDS = { '24h': '24 h', '7d': '7 d', '30d': '30 d' } as const;

/** Window, split and measure of the page, which are in its address. */
export function UsageControls({ search }: { readonly search: UsageSearch }) {
  const navigate = useNavigate();
  const missingAdmin = useMissingScope('admin');
  const isOwn = search.from !== undefined;
  const [isChoosing, setIsChoosing] = useState(isOwn);
  const show = (next: UsageSearch): void => void navigate({ to: '/usage', search: next, replace: true });
  const { window = '7d', from: _from, to: _to, ...rest } = search;
  const { window: _window, ...withoutRange } = rest as UsageSearch;
  return (
    <div
      role="search"
      aria-label="Choice of usage"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2"
    >
      <Segments
        label="Window"
        current={isOwn || isChoosing ? 'own' : window}
        options={[
          ...WINDOWS.map((name) => ({ name, label: WINDOW_WORDS[name] })),
          { name: 'own' as const, label: 'Own dates' },
        ]}
        onChange={(name) => {
          setIsChoosing(name === 'own');
          if (name !== 'own') show({ ...withoutRange, window: name });
        }}
      />
      {(isOwn || isChoosing) && (
        <OwnDays search={search} onChange={(days) => show({ ...withoutRange, ...days })} />
      )}
      <label className="flex items-center gap-1.5 text-muted">
        by
        <Select
          aria-label="Split by"
          value={search.by ?? 'model'}
          className="text-ink"
          onChange={({ target }) => show({ ...search, by: target.value as Split })}
        >
          {SPLITS.map((split) => (
            <option key={split} value={split} disabled={split === 'tenant' && missingAdmin !== null}>
              {SPLIT_WORDS[split]}
              {split === 'tenant' && missingAdmin !== null && ` (${missingAdmin.toLowerCase()})`}
            </option>
          ))}
        </Select>
      </label>
      <Segments
        label="Measure"
        current={search.show ?? 'cost'}
        options={MEASURES.map((name) => ({ name, label: MEASURE_WORDS[name] }))}
        onChange={(name) => show({ ...search, show: name })}
      />
      <Narrowing search={search} onChange={show} />
    </div>
  );
}

interface PartProps {
  readonly search: UsageSearch;
  readonly onChange: (next: UsageSearch) => void;
}

function Narrowing({ search, onChange }: PartProps) {
  const agentName = useAgentName();
  const { agent, executor, ...rest } = search;
  return (
    <>
      {agent !== undefined && (
        <Button onClick={() => onChange({ ...rest, ...(executor === undefined ? {} : { executor }) })}>
          Agent {agentName(agent)} <X aria-label="Remove" className="size-3.5" />
        </Button>
      )}
      {executor !== undefined && (
        <Button
          className="max-w-60"
          onClick={() => onChange({ ...rest, ...(agent === undefined ? {} : { agent }) })}
        >
          <span className="truncate">Executor {executor}</span> <X aria-label="Remove" className="size-3.5" />
        </Button>
      )}
    </>
  );
}

function OwnDays({
  search,
  onChange,
}: {
  readonly search: UsageSearch;
  readonly onChange: (days: { from: string; to: string }) => void;
}) {
  const shown = useState(() => rangeOf(search, Date.now()))[0];
  const [from, setFrom] = useState(search.from ?? shown.from.slice(0, 10));
  const [to, setTo] = useState(search.to ?? new Date(Date.parse(shown.to) - 1).toISOString().slice(0, 10));
  const fault = faultOfDays(from, to);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (fault === null) onChange({ from, to });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-1.5">
      <Input
        type="date"
        aria-label="First day (UTC)"
        value={from}
        aria-invalid={fault !== null}
        onChange={({ target }) => setFrom(target.value)}
      />
      <span aria-hidden className="text-muted">
        –
      </span>
      <Input
        type="date"
        aria-label="Last day (UTC)"
        value={to}
        aria-invalid={fault !== null}
        onChange={({ target }) => setTo(target.value)}
      />
      <Button type="submit" disabled={fault !== null}>
        Show
      </Button>
      {fault !== null && (
        <span role="alert" className="text-sm text-failed">
          {fault}
        </span>
      )}
    </form>
  );
}
