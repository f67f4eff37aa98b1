import { briefJson } from '../../format/brief-json.js';
import { type ControlIds, Field, Input, Select, TextArea } from '../../ui/field.js';
import { isShowable, parameterValue, rangeOf, type ParameterField } from '../draft/parameter-fields.js';

interface ParameterControlProps {
  readonly field: ParameterField;
  readonly value: unknown;
  readonly faults: readonly string[];
  /** With undefined where the parameter is left out. */
  readonly onChange: (value: unknown) => void;
}

/** One parameter with the control of its type; an empty one is left out, and its default holds. */
export function ParameterControl(props: ParameterControlProps) {
  const { field, value, faults } = props;
  // An option says it by itself.
  const isSaid =
    field.fallback === null || field.kind === 'boolean' || (field.kind === 'choice' && !field.isOpen);
  const hint = [field.help, rangeOf(field), isSaid ? null : `By default ${field.fallback}.`]
    .filter((part) => part !== null)
    .join(' ');
  return (
    <Field label={field.label} hint={hint === '' ? null : hint} faults={faults}>
      {(ids) =>
        isShowable(field, value) ? <Control {...props} ids={ids} /> : <OnlyJson ids={ids} value={value} />
      }
    </Field>
  );
}

function Control({ field, value, onChange, ids }: ParameterControlProps & { readonly ids: ControlIds }) {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const change = ({ target }: { readonly target: { readonly value: string } }): void =>
    onChange(parameterValue(field, target.value));
  const parts = { ...ids, value: text, onChange: change, name: field.name };
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return (
        <Input
          {...parts}
          type="number"
          step={field.kind === 'integer' ? 1 : 'any'}
          min={field.min ?? undefined}
          max={field.max ?? undefined}
          placeholder={field.fallback ?? undefined}
          className="w-40"
        />
      );
    case 'boolean':
      return <Options {...parts} fallback={field.fallback} options={['true', 'false']} />;
    case 'choice':
      return field.isOpen ? (
        <>
          <Input {...parts} list={`${ids.id}-options`} placeholder={field.fallback ?? undefined} />
          <datalist id={`${ids.id}-options`}>
            {field.options.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        </>
      ) : (
        <Options {...parts} fallback={field.fallback} options={field.options} />
      );
    case 'text':
      return <TextArea {...parts} rows={3} className="w-full" />;
    case 'line':
      return <Input {...parts} placeholder={field.fallback ?? undefined} />;
  }
}

interface OptionsProps extends ControlIds {
  readonly name: string;
  readonly value: string;
  readonly fallback: string | null;
  readonly options: readonly string[];
  readonly onChange: (change: { readonly target: { readonly value: string } }) => void;
}

function Options({ fallback, options, ...parts }: OptionsProps) {
  return (
    <Select {...parts} className="max-w-xs">
      <option value="">{fallback === null ? 'Not set' : `Default: ${fallback}`}</option>
      {options
        .filter((option) => option !== '')
        .map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
    </Select>
  );
}

/** A value of another type than the parameter has is left to the JSON view. */
function OnlyJson({ ids, value }: { readonly ids: ControlIds; readonly value: unknown }) {
  return (
    <output {...ids} className="flex h-8 items-center truncate font-mono text-sm text-muted">
      {briefJson(value)} (edit it as JSON)
    </output>
  );
}
