import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, RotateCw } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../../api/client.js';
import type { ApiKey } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { Field, Select } from '../../ui/field.js';
import { Confirm } from '../../ui/confirm.js';
import { AskingButton } from '../parts/asking-button.js';
import { SecretOnce } from '../parts/secret-once.js';
import { useIntention } from '../parts/use-intention.js';

const OVERLAPS: readonly (readonly [seconds: number, words: string])[] = [
  [0, '0 seconds: it ends at once'],
  [3_600, '1 hour'],
  [86_400, '24 hours'],
  [604_800, '7 days'],
  [2_592_000, '30 days'],
];

/** Puts a new key in the place of one, both being good for a while. */
export function RotateKey({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const queries = useQueryClient();
  const missingAdmin = useMissingScope('admin');
  const [overlap, setOverlap] = useState(86_400);
  const intention = useIntention();
  const rotating = useMutation({
    gcTime: 0,
    mutationFn: () =>
      answerOf(
        api.POST('/api/api-keys/{id}/rotate/', {
          params: { path: { id }, header: intention.header },
          body: { overlap_seconds: overlap },
        }),
      ),
    onSettled: intention.onSettled,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['settings', 'api-keys'] }),
  });
  return (
    <>
      <AskingButton
        unavailable={missingAdmin}
        dialog={(close) => (
          <Confirm
            title={`Rotate ${name}?`}
            action="Rotate"
            isPending={rotating.isPending}
            error={rotating.error}
            onConfirm={() => rotating.mutate(undefined, { onSuccess: close })}
            onClose={close}
          >
            <Field label="The present key stays valid for">
              {(ids) => (
                <Select {...ids} value={overlap} onChange={({ target }) => setOverlap(Number(target.value))}>
                  {OVERLAPS.map(([seconds, words]) => (
                    <option key={seconds} value={seconds}>
                      {words}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </Confirm>
        )}
      >
        <RotateCw aria-hidden className="size-3.5" /> Rotate …
      </AskingButton>
      {rotating.data !== undefined && (
        <SecretOnce
          title={`The new key ${rotating.data.name}`}
          secret={rotating.data.key}
          onClose={rotating.reset}
        />
      )}
    </>
  );
}

export function RevokeKey({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const queries = useQueryClient();
  const missingAdmin = useMissingScope('admin');
  const revoking = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/api-keys/{id}/revoke/', { params: { path: { id }, header: newIdempotencyKey() } }),
      ),
    onSuccess: () => {
      toast.success(`${name} is revoked`);
      return queries.invalidateQueries({ queryKey: ['settings', 'api-keys'] });
    },
  });
  return (
    <AskingButton
      look="danger"
      unavailable={missingAdmin}
      dialog={(close) => (
        <Confirm
          title={`Revoke ${name}?`}
          action="Revoke"
          isPending={revoking.isPending}
          error={revoking.error}
          onConfirm={() => revoking.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          <p>
            Programs and browsers that use it are refused at once, and its open requests are closed within 5
            seconds. It cannot be undone.
          </p>
        </Confirm>
      )}
    >
      <Ban aria-hidden className="size-3.5" /> Revoke …
    </AskingButton>
  );
}
