import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { KeyRound, Pencil, Power, Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api } from '../../api/client.js';
import type { WebhookEndpoint } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { Confirm } from '../../ui/confirm.js';
import { Button } from '../../ui/button.js';
import { EndpointForm } from './endpoint-form.js';
import { SendTest } from './send-test.js';
import { toastProblem } from '../../ui/problem-toast.js';

interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onSecret: (secret: string) => void;
  /** Called with the id of the delivery of a test event. */
  readonly onTested: (deliveryId: string) => void;
}

/** Test, change, switch, rotation and deletion of an endpoint. */
export function EndpointActions({ endpoint, onSecret, onTested }: EndpointActionsProps) {
  const missingScope = useMissingScope('webhooks:write');
  const [open, setOpen] = useState<'form' | 'rotation' | 'deletion' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <div className="flex flex-wrap gap-2">
      <SendTest endpoint={endpoint} onTested={onTested} />
      <Button unavailable={missingScope} onClick={() => setOpen('form')}>
        <Pencil aria-hidden className="size-3.5" /> Change …
      </Button>
      <Switch endpoint={endpoint} />
      <Button unavailable={missingScope} onClick={() => setOpen('rotation')}>
        <KeyRound aria-hidden className="size-3.5" /> Rotate the secret …
      </Button>
      <Button look="danger" unavailable={missingScope} onClick={() => setOpen('deletion')}>
        <Trash2 aria-hidden className="size-3.5" /> Delete …
      </Button>
      {open === 'form' && (
        <EndpointForm current={endpoint} onClose={close} onSaved={() => toast.success('Saved')} />
      )}
      {open === 'rotation' && <Rotation endpoint={endpoint} onClose={close} onSecret={onSecret} />}
      {open === 'deletion' && <Deletion endpoint={endpoint} onClose={close} />}
    </div>
  );
}

/** Switches an endpoint off or on again, with a way back. */
function Switch({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, is_active: isActive } = endpoint;
  const queries = useQueryClient();
  const missingScope = useMissingScope('webhooks:write');
  const switching = useMutation({
    mutationFn: (next: boolean) =>
      answerOf(
        api.PATCH('/api/webhook-endpoints/{id}/', { params: { path: { id } }, body: { is_active: next } }),
      ),
    onSuccess: (_endpoint, next) => {
      const words = next ? 'Requests are sent to it again' : 'Nothing is sent to it any more';
      toast.success(words, { action: { label: 'Undo', onClick: () => switching.mutate(!next) } });
    },
    onError: toastProblem,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['webhook-endpoint', id] });
      return queries.invalidateQueries({ queryKey: ['webhook-endpoints'] });
    },
  });
  return (
    <Button
      unavailable={missingScope}
      disabled={switching.isPending}
      onClick={() => switching.mutate(!isActive)}
    >
      <Power aria-hidden className="size-3.5" /> {isActive ? 'Switch off' : 'Switch on'}
    </Button>
  );
}

function Rotation(props: Omit<EndpointActionsProps, 'onTested'> & { readonly onClose: () => void }) {
  const { endpoint, onSecret, onClose } = props;
  const { id, url } = endpoint;
  const queries = useQueryClient();
  const rotating = useMutation({
    // The answer holds a secret.
    gcTime: 0,
    mutationFn: () =>
      answerOf(api.POST('/api/webhook-endpoints/{id}/rotate-secret/', { params: { path: { id } } })),
    onSuccess: ({ secret }) => {
      onClose();
      onSecret(secret);
      return queries.invalidateQueries({ queryKey: ['webhook-endpoint', id] });
    },
  });
  return (
    <Confirm
      title="Rotate the secret?"
      action="Rotate"
      refusal="Leave it"
      look="primary"
      isPending={rotating.isPending}
      error={rotating.error}
      onConfirm={() => rotating.mutate()}
      onClose={onClose}
    >
      <p className="font-mono text-sm">{url}</p>
      <p>For 24 hours requests carry the signatures of both secrets, then of the new one alone.</p>
      {endpoint.previous_secret_expires_at !== null && (
        <p className="text-action">
          The last rotation is not over: the secret before it counts for nothing from now on.
        </p>
      )}
    </Confirm>
  );
}

function Deletion({
  endpoint,
  onClose,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}) {
  const { id, url } = endpoint;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/webhook-endpoints/{id}/', { params: { path: { id } } })),
    onSuccess: async () => {
      toast.success('The endpoint is deleted');
      await navigate({ to: '/webhooks' });
      queries.removeQueries({ queryKey: ['webhook-endpoint', id] });
      return queries.invalidateQueries({ queryKey: ['webhook-endpoints'] });
    },
  });
  return (
    <Confirm
      title="Delete the endpoint?"
      action="Delete"
      refusal="Leave it"
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p className="font-mono text-sm">{url}</p>
      <p>Its deliveries go with it, those that are pending too.</p>
    </Confirm>
  );
}
