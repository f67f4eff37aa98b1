import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { WebhookDelivery } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { Empty, ProblemNotice } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { WithInspector } from '../ui/with-inspector.js';
import { DeliveryInspector } from '../webhooks/deliveries/delivery-inspector.js';
import { DeliveryStatus } from '../webhooks/delivery-status.js';
import { useRedeliver } from '../webhooks/redelivery/use-redeliver.js';
import { deliveriesQuery } from './run-queries.js';

interface WebhooksTabProps {
  readonly runId: string;
  /** Id of the delivery that is open; null for none. */
  readonly openId: string | null;
  readonly onOpen: (id: string | null) => void;
}

/** Webhook deliveries of the run, with what each attempt has sent and got, and a way to send each again. */
export function WebhooksTab({ runId, openId, onOpen }: WebhooksTabProps) {
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
    <WithInspector
      inspector={
        openId !== null && <DeliveryInspector key={openId} id={openId} onClose={() => onOpen(null)} />
      }
    >
      <ul aria-label="Deliveries" className="min-h-0 flex-1 overflow-y-auto">
        {rows.map((delivery) => (
          <Delivery
            key={delivery.id}
            delivery={delivery}
            isOpen={delivery.id === openId}
            onOpen={() => onOpen(delivery.id === openId ? null : delivery.id)}
          />
        ))}
      </ul>
    </WithInspector>
  );
}

interface DeliveryProps {
  readonly delivery: WebhookDelivery;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Delivery({ delivery, isOpen, onOpen }: DeliveryProps) {
  const { id, type, status, url, attempt_count, created_at, delivered_at, next_attempt_at } = delivery;
  const missingScope = useMissingScope('webhooks:write');
  const redelivering = useRedeliver();
  return (
    <li
      className={clsx(
        'flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2',
        isOpen && 'bg-accent-soft',
      )}
    >
      <DeliveryStatus status={status} className="w-28" />
      <button
        type="button"
        aria-expanded={isOpen}
        title="Requests and answers"
        className="w-44 text-left hover:underline"
        onClick={onOpen}
      >
        {type}
      </button>
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
        onClick={() => redelivering.mutate(id)}
      >
        Send again
      </Button>
    </li>
  );
}
