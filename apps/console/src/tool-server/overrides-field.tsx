import { useState } from 'react';
import { Plus } from 'lucide-react';
import { faultsAt } from '../api/form-faults.js';
import type { Effect } from '../api/types.js';
import { Button } from '../ui/button.js';
import { Faults } from '../ui/faults.js';
import { Input, Select } from '../ui/field.js';
import { FormSection } from '../ui/form-section.js';
import type { ServerDraft } from './server-draft.js';
import type { ServerFormProps } from './server-form-props.js';

type Override = ServerDraft['tools'][string];

const EFFECTS = ['read', 'idempotent', 'unsafe'] as const;
const FIRST_ROWS = 50;

/** Declared effects of the server's tools, and which of them ask or are hidden. */
export function OverridesField({ draft, toolNames, faults, onChange }: ServerFormProps) {
  const [added, setAdded] = useState('');
  const [limit, setLimit] = useState(FIRST_ROWS);
  const names = [...new Set([...Object.keys(draft.tools), ...toolNames])].toSorted();
  const set = (name: string, override: Override): void => {
    const { [name]: _, ...rest } = draft.tools;
    onChange({ tools: Object.keys(override).length === 0 ? rest : { ...rest, [name]: override } });
  };
  const add = (): void => {
    const name = added.trim();
    if (name === '') return;
    onChange({ tools: { ...draft.tools, [name]: draft.tools[name] ?? { effect: 'unsafe' } } });
    setAdded('');
  };
  return (
    <FormSection
      title="Tools"
      about="By the server's own names. Without a declared effect, a tool of MCP counts as unsafe."
    >
      {names.length === 0 && <p className="text-muted">A probe lists them.</p>}
      {names.length > 0 && (
        <ul aria-label="Declared tools">
          {names.slice(0, limit).map((name) => (
            <li key={name} className="border-b border-line py-1">
              <OverrideRow
                name={name}
                override={draft.tools[name] ?? {}}
                onChange={(next) => set(name, next)}
              />
              <Faults faults={faultsAt(faults, 'tools', name)} />
            </li>
          ))}
        </ul>
      )}
      {names.length > limit && (
        <Button className="self-start" onClick={() => setLimit(names.length)}>
          Show all {names.length}
        </Button>
      )}
      <div className="flex flex-wrap gap-2">
        <Input
          aria-label="Name of another tool"
          placeholder="Another tool"
          value={added}
          maxLength={256}
          className="w-56 font-mono text-sm"
          onChange={({ target }) => setAdded(target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') add();
          }}
        />
        <Button disabled={added.trim() === ''} onClick={add}>
          <Plus aria-hidden className="size-3.5" /> Declare it
        </Button>
      </div>
      <Faults
        faults={faultsAt(
          faults.filter(({ path }) => path.length === 1),
          'tools',
        )}
      />
    </FormSection>
  );
}

function OverrideRow({
  name,
  override,
  onChange,
}: {
  readonly name: string;
  readonly override: Override;
  readonly onChange: (override: Override) => void;
}) {
  const { effect, approval = false, is_hidden: isHidden = false } = override;
  const flag = (key: 'approval' | 'is_hidden', isOn: boolean): void => {
    const { [key]: _, ...rest } = override;
    onChange(isOn ? { ...rest, [key]: true } : rest);
  };
  const setEffect = (value: string): void => {
    const { effect: _, ...rest } = override;
    onChange(value === '' ? rest : { ...rest, effect: value as Effect });
  };
  return (
    <div className="grid min-h-8 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_8.5rem_6rem_6rem]">
      <span className="truncate font-mono text-sm" title={name}>
        {name}
      </span>
      <Select
        aria-label={`Effect of ${name}`}
        value={effect ?? ''}
        className="h-7"
        onChange={({ target }) => setEffect(target.value)}
      >
        <option value="">not declared</option>
        {EFFECTS.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </Select>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={approval}
          aria-label={`${name} asks first`}
          className="size-4"
          onChange={({ target }) => flag('approval', target.checked)}
        />
        Asks first
      </label>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isHidden}
          aria-label={`${name} is hidden`}
          className="size-4"
          onChange={({ target }) => flag('is_hidden', target.checked)}
        />
        Hidden
      </label>
    </div>
  );
}
