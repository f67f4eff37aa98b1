import { Field, Input, TextArea } from '../ui/field.js';
import { readOptions } from './request-of.js';

/** Parts of the request that go along with every message until they are changed. */
export interface Extras {
  /** JSON, or empty. */
  readonly options: string;
  readonly executor: string;
}

interface ComposerOptionsProps {
  readonly extras: Extras;
  /** Lines of the problem of a refused message: `#/options/temperature: …`. */
  readonly faults: readonly string[];
  readonly onChange: (extras: Extras) => void;
}

export function ComposerOptions({ extras, faults, onChange }: ComposerOptionsProps) {
  const { fault } = readOptions(extras.options);
  const ofOptions =
    fault === null ? faults.filter((line) => line.startsWith('#/options')) : [`options ${fault}`];
  const ofExecutor = faults.filter((line) => line.startsWith('#/executor'));
  return (
    <div className="grid gap-3 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Field label="Options" hint="JSON; they win over the parameters of the agent and its model.">
        {(ids) => (
          <>
            <TextArea
              {...ids}
              spellCheck={false}
              aria-invalid={ofOptions.length > 0}
              placeholder='{"max_output_tokens": 500}'
              className="field-sizing-content max-h-48 w-full font-mono text-sm"
              value={extras.options}
              onChange={({ target }) => onChange({ ...extras, options: target.value })}
            />
            <Faults lines={ofOptions} />
          </>
        )}
      </Field>
      <Field label="Executor" hint="user_id of the person on whose behalf the agent acts.">
        {(ids) => (
          <>
            <Input
              {...ids}
              aria-invalid={ofExecutor.length > 0}
              maxLength={200}
              className="w-full"
              value={extras.executor}
              onChange={({ target }) => onChange({ ...extras, executor: target.value })}
            />
            <Faults lines={ofExecutor} />
          </>
        )}
      </Field>
    </div>
  );
}

function Faults({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div role="alert" className="text-sm text-failed">
      {lines.map((line) => (
        <p key={line}>{line.replace(/^#\/(options\/)?/, '')}</p>
      ))}
    </div>
  );
}
