import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Repeat } from 'lucide-react';
import type { WebhookDeliveryWithAttempts } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { shortId } from '../../format/ids.js';
import { absoluteTime } from '../../format/times.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Inspector } from '../../ui/inspector.js';
import { JsonView } from '../../ui/json-view.js';
import { ProblemNotice } from '../../ui/notice.js';
import { Time } from '../../ui/time.js';
import { DeliveryStatus } from '../delivery-status.js';
import { useRedeliver } from '../redelivery/use-redeliver.js';
import { deliveryQuery } from '../webhook-queries.js';
import { AttemptList } from './attempt-list.js';

/** One delivery: what is sent, and how each attempt ended. */
export function DeliveryInspector({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const delivery = useQuery(deliveryQuery(id));
  return (
    <Inspector
      label="Delivery"
      title={<span className="font-mono text-base">{shortId(id)}</span>}
      onClose={onClose}
    >
      {delivery.isError && delivery.data === undefined && (
        <ProblemNotice
          error={delivery.error}
          title="The delivery could not be read"
          onRetry={() => void delivery.refetch()}
        />
      )}
      {delivery.data !== undefined && <Opened delivery={delivery.data} />}
    </Inspector>
  );
}

function Opened({ delivery }: { readonly delivery: WebhookDeliveryWithAttempts }) {
  const { id, endpoint_id: endpoint, url, execution_id: run, next_attempt_at: next } = delivery;
  const missingScope = useMissingScope('webhooks:write');
  const redelivering = useRedeliver();
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <DeliveryStatus status={delivery.status} className="font-medium" />
        <Button
          unavailable={missingScope}
          disabled={redelivering.isPending}
          onClick={() => redelivering.mutate(id)}
        >
          <Repeat aria-hidden className="size-3.5" /> Send again
        </Button>
      </div>
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-1 [&_dt]:text-muted">
        <dt>Event</dt>
        <dd>{delivery.type}</dd>
        <dt>Receiver</dt>
        <dd className="wrap-anywhere">
          <span className="font-mono text-sm">{url}</span>{' '}
          {endpoint === null ? (
            <span className="text-muted">given with the run</span>
          ) : (
            <Link
              to="/webhooks/$id"
              params={{ id: String(endpoint) }}
              className="whitespace-nowrap underline"
            >
              endpoint {endpoint}
            </Link>
          )}
        </dd>
        {run !== null && (
          <>
            <dt>Run</dt>
            <dd className="truncate">
              <Link to="/runs/$id" params={{ id: run }} className="font-mono text-sm hover:underline">
                {run}
              </Link>
            </dd>
          </>
        )}
        <dt>webhook-id</dt>
        <dd className="flex items-center gap-1">
          <span className="truncate font-mono text-sm" title={id}>
            {id}
          </span>
          <CopyButton text={id} label="Copy the webhook-id" />
        </dd>
        <dt>Created</dt>
        <dd>{absoluteTime(delivery.created_at)}</dd>
        {next !== null && (
          <>
            <dt>Next try</dt>
            <dd>
              <Time at={next} />
            </dd>
          </>
        )}
      </dl>
      <AttemptList delivery={delivery} />
      <JsonView label="Body of each request" value={delivery.body} fileName={`${id}.json`} />
    </>
  );
}
