import { Link } from '@tanstack/react-router';
import type { WebhookDelivery } from '../../api/types.js';
import { shortId } from '../../format/ids.js';
import type { Column } from '../../ui/data-list.js';
import { Time } from '../../ui/time.js';
import { DeliveryStatus } from '../delivery-status.js';
import { eventWord } from '../webhooks-search.js';

interface Parts {
  readonly hasUrl: boolean;
  readonly onOpen: (id: string) => void;
}

/** Columns of the list of deliveries. */
export function deliveryColumns({ hasUrl, onOpen }: Parts): readonly Column<WebhookDelivery>[] {
  const columns: (Column<WebhookDelivery> | false)[] = [
    {
      id: 'id',
      header: 'Delivery',
      track: '5.5rem',
      cell: ({ id }) => (
        <button
          type="button"
          title={id}
          className="font-mono text-sm hover:underline"
          onClick={() => onOpen(id)}
        >
          {shortId(id)}
        </button>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      track: '6.5rem',
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
    {
      id: 'event',
      header: 'Event',
      track: hasUrl ? 'minmax(6rem, 9rem)' : 'minmax(6rem, 1fr)',
      from: 460,
      cell: ({ type }) => <span title={type}>{eventWord(type)}</span>,
    },
    {
      id: 'run',
      header: 'Run',
      track: '5.5rem',
      from: 560,
      cell: ({ execution_id: run }) =>
        run === null ? (
          '–'
        ) : (
          <Link to="/runs/$id" params={{ id: run }} title={run} className="font-mono text-sm hover:underline">
            {shortId(run)}
          </Link>
        ),
    },
    hasUrl && {
      id: 'url',
      header: 'Receiver',
      track: 'minmax(8rem, 1fr)',
      from: 760,
      cell: ({ url, endpoint_id: endpoint }) => (
        <span className="font-mono text-sm text-muted" title={url}>
          {endpoint === null && <span className="font-sans text-base">of the run: </span>}
          {url}
        </span>
      ),
    },
    {
      id: 'attempts',
      header: 'Attempts',
      track: '4.5rem',
      isNumber: true,
      from: 640,
      cell: ({ attempt_count: count }) => count,
    },
    {
      id: 'next',
      header: 'Next or done',
      track: '6.5rem',
      isNumber: true,
      from: 860,
      cell: ({ next_attempt_at: next, delivered_at: done }) =>
        next !== null ? <Time at={next} /> : done === null ? '–' : <Time at={done} />,
    },
    {
      id: 'created',
      header: 'Created',
      track: 'minmax(5.5rem, 8rem)',
      isNumber: true,
      cell: ({ created_at: at }) => <Time at={at} />,
    },
  ];
  return columns.filter((column) => column !== false);
}
