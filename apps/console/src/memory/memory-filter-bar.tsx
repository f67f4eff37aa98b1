import { useState } from 'react';
import { X } from 'lucide-react';
import { AgentSelect } from '../ui/agent-select.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/field.js';
import { isFiltered, type MemoryFilter } from './memory-filter.js';

interface MemoryFilterBarProps {
  readonly filter: MemoryFilter;
  readonly onChange: (next: MemoryFilter) => void;
}

/** Executor and agent, which are in the address of the page. */
export function MemoryFilterBar({ filter, onChange }: MemoryFilterBarProps) {
  const named = filter.executor ?? '';
  const [text, setText] = useState(named);
  const [lastNamed, setLastNamed] = useState(named);
  // The address has changed otherwise: by a row, by the back button.
  if (named !== lastNamed) {
    setLastNamed(named);
    setText(named);
  }
  const { executor: _executor, ...withoutExecutor } = filter;
  const { agent: _agent, ...withoutAgent } = filter;
  const take = (): void => {
    const executor = text.trim();
    if (executor === named) return;
    onChange(executor === '' ? withoutExecutor : { ...withoutExecutor, executor });
  };
  return (
    <form
      role="search"
      aria-label="Filters"
      className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2"
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <Input
        aria-label="Executor"
        placeholder="Executor id"
        value={text}
        maxLength={200}
        className="w-48"
        onBlur={take}
        onChange={({ target }) => setText(target.value)}
      />
      <AgentSelect
        agent={filter.agent}
        className="w-40"
        onChange={(chosen) => onChange({ ...withoutAgent, ...chosen })}
      />
      {isFiltered(filter) && (
        <Button look="quiet" onClick={() => onChange({})}>
          <X aria-hidden className="size-3.5" /> Clear
        </Button>
      )}
    </form>
  );
}
