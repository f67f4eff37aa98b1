import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/agents.js';
import { Select } from './field.js';

interface AgentSelectProps {
  /** Id of the chosen agent; undefined for every one. */
  readonly agent: number | undefined;
  readonly className: string;
  /** Called with what the filter of a list takes over: nothing for every agent. */
  readonly onChange: (chosen: { readonly agent?: number }) => void;
}

/** Narrows a list to one agent. */
export function AgentSelect({ agent, className, onChange }: AgentSelectProps) {
  const agents = useQuery(agentsQuery);
  return (
    <Select
      aria-label="Agent"
      value={agent ?? ''}
      className={className}
      onChange={({ target }) => onChange(target.value === '' ? {} : { agent: Number(target.value) })}
    >
      <option value="">Every agent</option>
      {agents.data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
