import { CircleCheck, CirclePause, CircleSlash } from 'lucide-react';
import type { WebhookEndpoint } from '../../api/types.js';
import { Time } from '../../ui/time.js';

/** Whether requests are sent to an endpoint: active, paused after failures, or switched off. */
export function EndpointStatus({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { is_active: isActive, paused_until: pausedUntil } = endpoint;
  if (!isActive) {
    return (
      <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap text-muted">
        <CircleSlash aria-hidden className="size-3.5" /> Off
      </span>
    );
  }
  if (pausedUntil !== null) {
    return (
      <span
        className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap text-action"
        title="Too many requests in a row have failed"
      >
        <CirclePause aria-hidden className="size-3.5" /> Paused
        <span className="-ml-1.5 max-sm:hidden">
          , next try <Time at={pausedUntil} />
        </span>
      </span>
    );
  }
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap text-done">
      <CircleCheck aria-hidden className="size-3.5" /> Active
    </span>
  );
}
