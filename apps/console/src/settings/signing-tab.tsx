import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { answerOf, api } from '../api/client.js';
import { useMissingScope } from '../app/session.js';
import { Time } from '../ui/time.js';
import { Confirm } from '../ui/confirm.js';
import { AskingButton } from './parts/asking-button.js';
import { SecretOnce } from './parts/secret-once.js';
import { useIntention } from './parts/use-intention.js';

/** Secret that signs the webhooks of single runs; endpoints have secrets of their own. */
export function SigningTab() {
  const missingScope = useMissingScope('webhooks:write');
  const [made, setMade] = useState<{ secret: string; until: string | null } | null>(null);
  const intention = useIntention();
  const rotating = useMutation({
    gcTime: 0,
    mutationFn: () =>
      answerOf(api.POST('/api/webhook-signing-secret/rotate/', { params: { header: intention.header } })),
    onSuccess: ({ secret, previous_secret_expires_at: until }) => setMade({ secret, until }),
    onSettled: intention.onSettled,
  });
  return (
    <section aria-label="Webhook signing" className="flex max-w-2xl flex-col gap-3 px-4 py-4">
      <h2 className="font-semibold">Signing secret of the tenant</h2>
      <p>
        Webhooks that a single run asks for (<code className="font-mono text-sm">options.webhook</code>) are
        signed with it. Webhook endpoints have secrets of their own.
      </p>
      <div>
        <AskingButton
          unavailable={missingScope}
          dialog={(close) => (
            <Confirm
              title="Make a new signing secret?"
              action="Make a new secret"
              isPending={rotating.isPending}
              error={rotating.error}
              onConfirm={() => rotating.mutate(undefined, { onSuccess: close })}
              onClose={close}
            >
              <p>
                For 24 hours requests are signed with the secret before, too. After that, with the new one
                alone.
              </p>
            </Confirm>
          )}
        >
          <RotateCw aria-hidden className="size-3.5" /> Make or replace the secret …
        </AskingButton>
      </div>
      {made !== null && (
        <SecretOnce
          title="The new signing secret"
          secret={made.secret}
          onClose={() => {
            setMade(null);
            rotating.reset();
          }}
        >
          {made.until !== null && (
            <p className="text-muted">
              The secret before signs beside it until <Time at={made.until} />.
            </p>
          )}
        </SecretOnce>
      )}
    </section>
  );
}
