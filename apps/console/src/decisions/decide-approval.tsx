import { useState } from 'react';
import type { Decision, WaitingCall } from '../api/types.js';
import { Button } from '../ui/button.js';
import { Field, TextArea } from '../ui/field.js';

export interface DecideProps {
  readonly call: WaitingCall;
  readonly onDecide: (decision: Decision) => void;
  readonly isPending: boolean;
  readonly unavailable: string | null;
}

/** Accepts a call at once; a refusal asks for a reason first, which the agent will read. */
export function DecideApproval({ call: { call }, onDecide, isPending, unavailable }: DecideProps) {
  const [reason, setReason] = useState<string | null>(null);
  if (reason === null) {
    return (
      <div className="flex gap-2">
        <Button
          look="primary"
          unavailable={unavailable}
          disabled={isPending}
          onClick={() => onDecide({ call, approved: true })}
        >
          Approve
        </Button>
        <Button unavailable={unavailable} disabled={isPending} onClick={() => setReason('')}>
          Refuse …
        </Button>
      </div>
    );
  }
  return (
    <form
      className="flex max-w-xl flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onDecide({ call, approved: false, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
      }}
    >
      <Field label="Why not?" hint="The agent reads it and goes on without the call.">
        {(ids) => (
          <TextArea
            {...ids}
            autoFocus
            maxLength={2000}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" look="danger" disabled={isPending}>
          Refuse
        </Button>
        <Button look="quiet" onClick={() => setReason(null)}>
          Back
        </Button>
      </div>
    </form>
  );
}
