import { useState } from 'react';
import type { Decision, WaitingCall } from '../api/types.js';
import { Button } from '../ui/button.js';
import { Field, TextArea } from '../ui/field.js';

/** As many characters of a reason does the service take. */
export const MAX_REASON = 1_000;

export interface DecideProps {
  readonly call: WaitingCall;
  readonly onDecide: (decision: Decision) => void;
  readonly isPending: boolean;
  readonly unavailable: string | null;
}

/** Accepts a call at once; a refusal asks for a reason first, which the agent will read. */
export function DecideApproval({ call: { call }, onDecide, isPending, unavailable }: DecideProps) {
  const [reason, setReason] = useState<string | null>(null);
  const back = (from: Element): void => {
    from.closest<HTMLElement>('[data-call]')?.focus();
    setReason(null);
  };
  if (reason === null) {
    return (
      <div className="flex gap-2">
        <Button
          look="primary"
          data-decide="approve"
          unavailable={unavailable}
          disabled={isPending}
          onClick={() => onDecide({ call, approved: true })}
        >
          Approve
        </Button>
        <Button
          data-decide="refuse"
          unavailable={unavailable}
          disabled={isPending}
          onClick={() => setReason('')}
        >
          Refuse …
        </Button>
      </div>
    );
  }
  return (
    <form
      className="flex max-w-xl flex-col gap-2"
      onKeyDown={(event) => {
        const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
        if (!isSubmit && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (isSubmit) event.currentTarget.requestSubmit();
        else back(event.currentTarget);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onDecide({ call, approved: false, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
      }}
    >
      <Field
        label="Why not?"
        hint="The agent reads it and goes on without the call. Ctrl+Enter refuses, Esc goes back."
      >
        {(ids) => (
          <TextArea
            {...ids}
            autoFocus
            maxLength={MAX_REASON}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" look="danger" disabled={isPending}>
          Refuse
        </Button>
        <Button look="quiet" onClick={({ currentTarget }) => back(currentTarget)}>
          Back
        </Button>
      </div>
    </form>
  );
}
