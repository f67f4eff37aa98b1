import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { AgentSelect } from '../ui/agent-select.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/field.js';
import { SinceSelect } from '../ui/since-select.js';
import { isFiltered, type SessionsFilter, type Since } from './sessions-filter.js';

const SINCE_WORDS: Readonly<Record<Since, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

/** Filters of the sessions, which are in the address of the page and so can be sent to a colleague. */
export function FilterBar({ filter }: { readonly filter: SessionsFilter }) {
  const navigate = useNavigate();
  const show = (next: SessionsFilter): void =>
    void navigate({ to: '/sessions', search: next, replace: true });
  const { agent: _agent, ...withoutAgent } = filter;
  const { since: _since, ...withoutSince } = filter;
  return (
    <div
      className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2"
      role="search"
      aria-label="Filters"
    >
      <ArchivedFilter filter={filter} onChange={show} />
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
      <ExecutorFilter key={filter.executor ?? ''} filter={filter} onChange={show} />
      {isFiltered(filter) && (
        <Button look="quiet" onClick={() => show({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface PartProps {
  readonly filter: SessionsFilter;
  readonly onChange: (next: SessionsFilter) => void;
}

function ArchivedFilter({ filter, onChange }: PartProps) {
  const { archived, ...rest } = filter;
  const choices = [
    { word: 'Current', isOn: archived !== true, next: rest },
    { word: 'Archived', isOn: archived === true, next: { ...rest, archived: true as const } },
  ];
  return (
    <div role="group" aria-label="Archived or not" className="flex gap-1">
      {choices.map(({ word, isOn, next }) => (
        <button
          key={word}
          type="button"
          aria-pressed={isOn}
          onClick={() => onChange(next)}
          className={clsx(
            'inline-flex h-8 items-center rounded-md border px-2',
            isOn ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
          )}
        >
          {word}
        </button>
      ))}
    </div>
  );
}

/** The API knows whole ids alone, so the list is asked when the id is complete: at Enter, or when the field is left. */
function ExecutorFilter({ filter, onChange }: PartProps) {
  const { executor = '', ...rest } = filter;
  const [text, setText] = useState(executor);
  const apply = (): void => {
    const id = text.trim();
    if (id !== executor) onChange(id === '' ? rest : { ...rest, executor: id });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Input
        aria-label="Executor"
        placeholder="Executor id"
        title="user_id of the executor of one of its runs, complete"
        maxLength={200}
        className="w-36"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
      />
    </form>
  );
}
