import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { answerOf, api } from '../api/client.js';
import { useMissingScope } from '../app/session.js';
import { Confirm } from '../ui/confirm.js';
import { Button } from '../ui/button.js';

/** Makes or replaces the secret that signs webhooks given with a run. */
export function SigningSecret({ onSecret }: { readonly onSecret: (secret: string) => void }) {
  const missingScope = useMissingScope('webhooks:write');
  const [isAsking, setIsAsking] = useState(false);
  const rotating = useMutation({
    // The answer holds a secret.
    gcTime: 0,
    mutationFn: () => answerOf(api.POST('/api/webhook-signing-secret/rotate/')),
    onSuccess: ({ secret }) => {
      setIsAsking(false);
      onSecret(secret);
    },
  });
  return (
    <>
      <Button unavailable={missingScope} onClick={() => setIsAsking(true)}>
        <KeyRound aria-hidden className="size-3.5" /> Secret of single runs …
      </Button>
      {isAsking && (
        <Confirm
          title="Make a new signing secret?"
          action="Make it"
          refusal="Leave it"
          look="primary"
          isPending={rotating.isPending}
          error={rotating.error}
          onConfirm={() => rotating.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>
            It signs the webhooks that come with single runs; each endpoint has its own. Where there is one
            already, requests carry the signatures of both for 24 hours.
          </p>
        </Confirm>
      )}
    </>
  );
}
