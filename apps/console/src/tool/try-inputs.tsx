import { faultsAt, type FieldFault } from '../api/form-faults.js';
import { Field, Input, Select, TextArea } from '../ui/field.js';
import type { TryField } from './try-fields.js';

type Texts = Readonly<Record<string, string>>;

/** One control for each argument of a simple schema. */
export function TryInputs({
  fields,
  texts,
  faults,
  onChange,
}: {
  readonly fields: readonly TryField[];
  readonly texts: Texts;
  readonly faults: readonly FieldFault[];
  readonly onChange: (texts: Texts) => void;
}) {
  if (fields.length === 0) return <p className="text-muted">It takes no arguments.</p>;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map((field) => {
        const { name, description, isRequired, kind, options } = field;
        const change = ({ target }: { readonly target: { readonly value: string } }): void =>
          onChange({ ...texts, [name]: target.value });
        const parts = { name, value: texts[name] ?? '', onChange: change };
        return (
          <Field
            key={name}
            label={isRequired ? `${name} (required)` : name}
            hint={description === '' ? null : description.slice(0, 500)}
            faults={faultsAt(faults, 'input', name)}
          >
            {(ids) => {
              if (kind === 'choice' || kind === 'boolean') {
                return (
                  <Select {...ids} {...parts}>
                    <option value="">Left out</option>
                    {(kind === 'boolean' ? ['true', 'false'] : options).map((option) => (
                      <option key={option} value={option}>
                        {option}
                      </option>
                    ))}
                  </Select>
                );
              }
              if (kind === 'text') return <TextArea {...ids} {...parts} rows={1} className="min-h-8" />;
              return <Input {...ids} {...parts} type="number" step={kind === 'integer' ? 1 : 'any'} />;
            }}
          </Field>
        );
      })}
    </div>
  );
}
