import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint } from '../../api/types.js';
import type { Column } from '../../ui/data-list.js';
import { Command, Empty } from '../../ui/notice.js';
import { PagedList } from '../../ui/paged-list.js';
import { Time } from '../../ui/time.js';
import { endpointsQuery } from '../webhook-queries.js';
import { eventWord, EVENT_TYPES } from '../webhooks-search.js';
import { EndpointStatus } from './endpoint-status.js';

/** Endpoints of the tenant. */
export function EndpointsList() {
  const navigate = useNavigate();
  const endpoints = useInfiniteQuery(endpointsQuery);
  return (
    <PagedList
      query={endpoints}
      label="Endpoints"
      columns={COLUMNS}
      rowKey={({ id }) => String(id)}
      onOpen={({ id }) => void navigate({ to: '/webhooks/$id', params: { id: String(id) } })}
      empty={<NoEndpoints />}
    />
  );
}

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'id',
    header: 'Id',
    track: '2.5rem',
    from: 460,
    cell: ({ id }) => <span className="text-muted">{id}</span>,
  },
  {
    id: 'url',
    header: 'Endpoint',
    track: 'minmax(10rem, 1fr)',
    cell: ({ id, name, url }) => (
      <Link
        to="/webhooks/$id"
        params={{ id: String(id) }}
        title={url}
        className="font-mono text-sm hover:underline"
      >
        {name === null ? url : `${name} · ${url}`}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    track: 'minmax(6rem, 13rem)',
    cell: (endpoint) => <EndpointStatus endpoint={endpoint} />,
  },
  {
    id: 'events',
    header: 'Events',
    track: 'minmax(8rem, 20rem)',
    from: 760,
    cell: ({ events }) => (
      <span className="text-muted" title={events.join(', ')}>
        {events.length === EVENT_TYPES.length ? 'all' : events.map(eventWord).join(', ')}
      </span>
    ),
  },
  {
    id: 'created',
    header: 'Made',
    track: '5.5rem',
    isNumber: true,
    from: 560,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

function NoEndpoints() {
  return (
    <Empty title="No endpoints yet">
      <p className="text-muted">
        An endpoint receives a signed request when a run has ended or waits for a person. Make one here, or by
        the API:
      </p>
      <Command
        text={`curl -s ${location.origin}/api/webhook-endpoints/ \\\n  -H 'content-type: application/json' -d '{"url": "https://example.com/hook"}'`}
      />
    </Empty>
  );
}
