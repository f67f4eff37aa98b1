import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Repeat } from 'lucide-react';
import type { WebhookDeliveryWithAttempts } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { shortId } from '../../format/ids.js';
import { formatDuration } from '../../format/durations.js';
import { absoluteTime, clockTime } from '../../format/times.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Inspector } from '../../ui/inspector.js';
import { JsonView } from '../../ui/json-view.js';
import { ProblemNotice } from '../../ui/notice.js';
import { Time } from '../../ui/time.js';
import { DeliveryStatus } from '../delivery-status.js';
import { useRedeliver } from '../redelivery/use-redeliver.js';
import { deliveryQuery } from '../webhook-queries.js';

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
      <Attempts delivery={delivery} />
      <JsonView label="Body" value={delivery.body} fileName={`${id}.json`} />
    </>
  );
}

function Attempts({ delivery }: { readonly delivery: WebhookDeliveryWithAttempts }) {
  const { attempts, attempt_count: count } = delivery;
  return (
    <section aria-label="Attempts">
      <h3 className="text-sm text-muted">
        Attempts{count > attempts.length && `, ${count - attempts.length} without a record`}
      </h3>
      {attempts.length === 0 && <p className="text-muted">none</p>}
      <ol>
        {attempts.map(({ number, status_code: status, error, duration_ms: ms, attempted_at: at }) => {
          const isDone = status !== null && status >= 200 && status < 300;
          return (
            <li key={number} className="flex items-start gap-2 border-b border-line py-1 last:border-b-0">
              {isDone ? (
                <CircleCheck aria-label="Accepted" className="mt-0.5 size-3.5 shrink-0 text-done" />
              ) : (
                <CircleX aria-label="Failed" className="mt-0.5 size-3.5 shrink-0 text-failed" />
              )}
              <span className="w-5 shrink-0 text-right text-muted">{number}</span>
              <span className="min-w-0 flex-1 wrap-anywhere">
                {status === null ? 'No answer' : `HTTP ${status}`}
                {error !== null && <span className="text-failed">: {error.slice(0, 2000)}</span>}
              </span>
              <span className="shrink-0 text-muted">{formatDuration(ms)}</span>
              <time dateTime={at} title={absoluteTime(at)} className="shrink-0 text-muted">
                {clockTime(at)}
              </time>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
