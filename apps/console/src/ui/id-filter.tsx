import { X } from 'lucide-react';
import { isUuid, shortId } from '../format/ids.js';
import { Button } from './button.js';
import { Input } from './field.js';

interface IdFilterProps {
  /** Word for the thing that has the id. */
  readonly label: string;
  readonly id: string | undefined;
  /** Called with a complete id, or undefined for all. */
  readonly onChange: (id: string | undefined) => void;
}

/** Narrows a list to what belongs to one id: a field for it, and once it is given, the id with a way to take it off. */
export function IdFilter({ label, id, onChange }: IdFilterProps) {
  if (id !== undefined) {
    return (
      <Button title={id} onClick={() => onChange(undefined)}>
        {label} <span className="font-mono text-sm">{shortId(id)}</span>
        <X aria-label="Remove" className="size-3.5" />
      </Button>
    );
  }
  return (
    <Input
      aria-label={label}
      placeholder={`${label} id`}
      className="w-24 text-sm"
      onChange={({ target }) => {
        const text = target.value.trim();
        if (isUuid(text)) onChange(text);
      }}
    />
  );
}
