import type { ComponentProps } from 'react';
import { useQuery } from '@tanstack/react-query';
import { newestVersionsQuery } from '../api/agents.js';
import { absoluteTime } from '../format/times.js';
import { Select } from './field.js';

interface VersionSelectProps extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly agent: number;
  /** Null for the newest one. */
  readonly version: number | null;
  readonly onChange: (version: number | null) => void;
}

/** Choice of a version of an agent. */
export function VersionSelect({ agent, version, onChange, ...rest }: VersionSelectProps) {
  const { data: versions } = useQuery(newestVersionsQuery(agent));
  const known = versions?.data ?? [];
  return (
    <Select
      {...rest}
      value={version ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">Newest{known[0] !== undefined && ` (version ${known[0].version})`}</option>
      {version !== null && !known.some((each) => each.version === version) && (
        <option value={version}>Version {version}</option>
      )}
      {known.map((each) => (
        <option key={each.version} value={each.version}>
          Version {each.version}, {absoluteTime(each.created_at)}
        </option>
      ))}
    </Select>
  );
}
