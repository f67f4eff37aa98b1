import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { answerOf, api, newIdempotencyKey } from '../../api/client.js';
import type { WebhookEndpoint } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { toastProblem } from '../../ui/problem-toast.js';

interface SendTestProps {
  readonly endpoint: WebhookEndpoint;
  /** Called with the id of the delivery. */
  readonly onTested: (deliveryId: string) => void;
}

/** Sends a test event to an endpoint. */
export function SendTest({ endpoint, onTested }: SendTestProps) {
  const { id, is_active: isActive } = endpoint;
  const queries = useQueryClient();
  const missingScope = useMissingScope('webhooks:write');
  const sending = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/webhook-endpoints/{id}/test/', {
          params: { path: { id }, header: newIdempotencyKey() },
        }),
      ),
    onSuccess: (delivery) => {
      onTested(delivery.id);
      return queries.invalidateQueries({ queryKey: ['webhook-deliveries'] });
    },
    onError: toastProblem,
  });
  return (
    <Button
      unavailable={missingScope ?? (isActive ? null : 'The endpoint is switched off')}
      disabled={sending.isPending}
      onClick={() => sending.mutate()}
    >
      <Send aria-hidden className="size-3.5" /> Send a test event
    </Button>
  );
}
