import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { answerOf, api } from '../../api/client.js';
import type { LlmValidation } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/notice.js';

const OUTCOMES: Readonly<Record<LlmValidation['outcome'], string>> = {
  works: 'It works: the model has answered.',
  key_refused: 'The provider does not accept the key.',
  unreachable: 'Nothing that speaks the API answered in time at the address.',
  unknown_model: 'The key is good, but the model is not there.',
  unusable: 'It cannot be used.',
};
const CHECKS: Readonly<Record<LlmValidation['checks'][number]['name'], string>> = {
  provider: 'Provider',
  model: 'Model',
};

/** Tries the stored configuration with a short request to the model. */
export function Validation({ id, isDirty }: { readonly id: number; readonly isDirty: boolean }) {
  const missingScope = useMissingScope('agents:write');
  const trying = useMutation({
    mutationFn: () => answerOf(api.POST('/api/llms/{id}/validate/', { params: { path: { id } } })),
  });
  const result = trying.data;
  return (
    <section aria-label="Validation" className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button unavailable={missingScope} disabled={trying.isPending} onClick={() => trying.mutate()}>
          {trying.isPending ? 'Asking the model …' : 'Validate'}
        </Button>
        <span className="text-sm text-muted">
          {isDirty
            ? 'Tries what is stored, without the changes below.'
            : 'A worker sends the model a short request with the stored key.'}
        </span>
      </div>
      {trying.isError && <ProblemNotice error={trying.error} />}
      <div role="status" className="empty:hidden">
        {result !== undefined && (
          <>
            <p className="flex items-center gap-1.5 font-medium">
              <Mark isOk={result.valid} /> {OUTCOMES[result.outcome]}
            </p>
            <ul className="mt-1 flex flex-col gap-1">
              {result.checks.map(({ name, ok, reason, message }) => (
                <li key={name} className="flex items-start gap-1.5">
                  <Mark isOk={ok} />
                  <span className="min-w-0 wrap-anywhere">
                    {CHECKS[name]}: {ok ? 'ok' : (message ?? reason ?? 'failed')}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

function Mark({ isOk }: { readonly isOk: boolean }) {
  const Icon = isOk ? CircleCheck : CircleX;
  return (
    <Icon
      aria-hidden
      className={isOk ? 'mt-0.5 size-4 shrink-0 text-done' : 'mt-0.5 size-4 shrink-0 text-failed'}
    />
  );
}
