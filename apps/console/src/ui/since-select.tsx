import { Select } from './field.js';

interface SinceSelectProps<Since extends string> {
  readonly since: Since | undefined;
  /** Words of the periods, by their names in the address, in their order. */
  readonly words: Readonly<Record<Since, string>>;
  /** Called with what the filter of a list takes over: nothing for any time. */
  readonly onChange: (chosen: { readonly since?: Since }) => void;
}

/** Narrows a list to what was created within a period before now. */
export function SinceSelect<Since extends string>({ since, words, onChange }: SinceSelectProps<Since>) {
  const names = Object.keys(words) as Since[];
  return (
    <Select
      aria-label="Created"
      className="w-36"
      value={since ?? ''}
      onChange={({ target }) => {
        const chosen = names.find((name) => name === target.value);
        onChange(chosen === undefined ? {} : { since: chosen });
      }}
    >
      <option value="">Any time</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {words[name]}
        </option>
      ))}
    </Select>
  );
}
