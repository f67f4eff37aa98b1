import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../ui/button.js';
import { Faults } from '../ui/faults.js';
import { Input } from '../ui/field.js';
import type { Template } from './server-draft.js';

/** Texts by name. A stored one is not shown: its field is empty, and stays so to keep it. */
export function TemplateFields({
  title,
  item,
  rows,
  faultsOf,
  onChange,
}: {
  readonly title: string;
  readonly item: string;
  readonly rows: readonly Template[];
  /** Faults of the text of a name; of all of them for null. */
  readonly faultsOf: (name: string | null) => readonly string[];
  readonly onChange: (rows: readonly Template[]) => void;
}) {
  const change = (at: number, part: Partial<Template>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <fieldset>
      <legend className="font-medium">{title}</legend>
      <ul className="mt-1 flex flex-col gap-2">
        {rows.map(({ name, value, isStored }, index) => (
          // A row has no id, and its name is being typed.
          <li key={index}>
            <div className="grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)_2rem] gap-2">
              <Input
                aria-label={`Name of ${item} ${index + 1}`}
                value={name}
                spellCheck={false}
                className="min-w-0 font-mono text-sm"
                onChange={({ target }) =>
                  // A stored text is kept under its own name only.
                  change(index, { name: target.value, isStored: false, value: value ?? '' })
                }
              />
              <Input
                aria-label={`Text of ${item} ${name === '' ? index + 1 : name}`}
                value={value ?? ''}
                autoComplete="off"
                spellCheck={false}
                placeholder={isStored ? 'stored, never shown; type to replace it' : ''}
                className="min-w-0 font-mono text-sm"
                onChange={({ target }) =>
                  change(index, { value: isStored && target.value === '' ? null : target.value })
                }
              />
              <IconButton
                label={`Remove ${item} ${name === '' ? index + 1 : name}`}
                onClick={() => onChange(rows.filter((_, at) => at !== index))}
              >
                <Trash2 aria-hidden className="size-3.5" />
              </IconButton>
            </div>
            <Faults faults={name === '' ? [] : faultsOf(name)} />
          </li>
        ))}
      </ul>
      <Faults faults={faultsOf(null)} />
      <Button className="mt-2" onClick={() => onChange([...rows, { name: '', value: '', isStored: false }])}>
        <Plus aria-hidden className="size-3.5" /> Add a {item}
      </Button>
    </fieldset>
  );
}
