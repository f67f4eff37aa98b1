import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { problemOf } from '../api/problem.js';
import type { WebhookDelivery } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { Empty, ProblemNotice } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { DeliveryStatus } from '../webhooks/delivery-status.js';
import { deliveriesQuery } from './run-queries.js';

/** Webhook deliveries of the run, with a way to send each again. */
export function WebhooksTab({ runId }: { readonly runId: string }) {
  const deliveries = useQuery(deliveriesQuery(runId));
  const rows = deliveries.data?.data ?? [];
  if (deliveries.isPending) return null;
  if (deliveries.isError && rows.length === 0) {
    return <ProblemNotice error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  }
  if (rows.length === 0) {
    return (
      <Empty title="No webhook was sent">
        <p className="text-muted">
          Deliveries appear here once a webhook endpoint of the tenant, or the webhook of the run itself,
          wants its events.
        </p>
      </Empty>
    );
  }
  return (
    <ul className="min-h-0 flex-1 overflow-y-auto">
      {rows.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} runId={runId} />
      ))}
    </ul>
  );
}

function Delivery({ delivery, runId }: { readonly delivery: WebhookDelivery; readonly runId: string }) {
  const { id, type, status, url, attempt_count, created_at, delivered_at, next_attempt_at } = delivery;
  const queries = useQueryClient();
  const missingScope = useMissingScope('webhooks:write');
  const redelivering = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/webhook-deliveries/{id}/redeliver/', {
          params: { path: { id }, header: newIdempotencyKey() },
        }),
      ),
    onSuccess: () => {
      toast.success('It is sent again');
      return queries.invalidateQueries({ queryKey: deliveriesQuery(runId).queryKey });
    },
    onError: (error) => toast.error(problemOf(error).message),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2">
      <DeliveryStatus status={status} className="w-28" />
      <span className="w-44">{type}</span>
      <span className="min-w-40 flex-1 truncate font-mono text-sm text-muted" title={url}>
        {url}
      </span>
      <span className="text-muted">
        {attempt_count} {attempt_count === 1 ? 'attempt' : 'attempts'},{' '}
        {delivered_at !== null ? <Time at={delivered_at} /> : <Time at={next_attempt_at ?? created_at} />}
      </span>
      <Button
        className="h-7"
        unavailable={missingScope}
        disabled={redelivering.isPending}
        onClick={() => redelivering.mutate()}
      >
        Send again
      </Button>
    </li>
  );
}
