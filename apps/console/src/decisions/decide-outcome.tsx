import { useState } from 'react';
import { Button } from '../ui/button.js';
import { Field, TextArea } from '../ui/field.js';
import { MAX_REASON, type DecideProps } from './decide-approval.js';

const OUTCOMES = [
  { outcome: 'happened', word: 'It happened' },
  { outcome: 'did_not_happen', word: 'It did not happen' },
  { outcome: 'unknown', word: 'It cannot be found out' },
] as const;

/** Records the outcome of a call that is unknown to the service; then the run continues. */
export function DecideOutcome({ call: { call }, onDecide, isPending, unavailable }: DecideProps) {
  const [reason, setReason] = useState('');
  const [output, setOutput] = useState('');
  const more = {
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    ...(output.trim() === '' ? {} : { output: output.trim() }),
  };
  return (
    <div className="flex max-w-xl flex-col gap-2">
      <Field label="How do you know?" hint="Kept with the decision.">
        {(ids) => (
          <TextArea
            {...ids}
            maxLength={MAX_REASON}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <Field
        label="Result of the call"
        hint="If it happened: what the agent reads as its output, such as a number."
      >
        {(ids) => <TextArea {...ids} value={output} onChange={({ target }) => setOutput(target.value)} />}
      </Field>
      <div className="flex flex-wrap gap-2">
        {OUTCOMES.map(({ outcome, word }) => (
          <Button
            key={outcome}
            unavailable={unavailable}
            disabled={isPending}
            onClick={() => onDecide({ call, outcome, ...more })}
          >
            {word}
          </Button>
        ))}
      </div>
    </div>
  );
}
