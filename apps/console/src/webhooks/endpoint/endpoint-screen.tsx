import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint } from '../../api/types.js';
import { Breadcrumb } from '../../ui/breadcrumb.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Fact, Facts } from '../../ui/facts.js';
import { ProblemNotice } from '../../ui/notice.js';
import { ScreenHeader } from '../../ui/screen-header.js';
import { Time } from '../../ui/time.js';
import { Deliveries } from '../deliveries/deliveries.js';
import { SecretBanner } from '../secret-banner.js';
import { endpointQuery } from '../webhook-queries.js';
import { eventWord, type DeliveryView } from '../webhooks-search.js';
import { EndpointActions } from './endpoint-actions.js';
import { EndpointStatus } from './endpoint-status.js';

const route = getRouteApi('/webhooks/$id');

/** One endpoint with its deliveries. */
export function EndpointScreen() {
  const id = Number(route.useParams().id);
  const endpoint = useQuery(endpointQuery(id));
  if (endpoint.data !== undefined) return <Opened key={id} endpoint={endpoint.data} />;
  if (endpoint.isError) {
    return (
      <>
        <ScreenHeader title={<Link to="/webhooks">Webhooks</Link>} />
        <ProblemNotice
          error={endpoint.error}
          title="The endpoint could not be read"
          onRetry={() => void endpoint.refetch()}
        />
      </>
    );
  }
  return null;
}

function Opened({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, url, events, previous_secret_expires_at: expiresAt } = endpoint;
  const view = route.useSearch();
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string | null>(null);
  const show = (next: DeliveryView): void =>
    void navigate({ to: '/webhooks/$id', params: { id: String(id) }, search: next, replace: true });
  return (
    <>
      <header className="shrink-0 border-b border-line px-4 py-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Breadcrumb
            parts={[
              <Link to="/webhooks" className="text-muted hover:underline">
                Webhooks
              </Link>,
              <span className="truncate" title={url}>
                {url}
              </span>,
            ]}
          />
          <EndpointActions
            endpoint={endpoint}
            onSecret={setSecret}
            onTested={(delivery) => show({ open: delivery })}
          />
        </div>
        <div className="mt-2">
          <Facts>
            <Fact name="State">
              <EndpointStatus endpoint={endpoint} />
            </Fact>
            <Fact name="Id">
              <span className="inline-flex items-center gap-1">
                {id}
                <CopyButton text={url} label="Copy the URL" />
              </span>
            </Fact>
            <Fact name="Events">{events.map(eventWord).join(', ')}</Fact>
            <Fact name="Made">
              <Time at={endpoint.created_at} />
            </Fact>
            {expiresAt !== null && (
              <Fact name="Previous secret">
                also signs, ends <Time at={expiresAt} />
              </Fact>
            )}
          </Facts>
        </div>
      </header>
      {secret !== null && (
        <SecretBanner
          shown={{ of: 'New secret of this endpoint.', secret }}
          onTaken={() => setSecret(null)}
        />
      )}
      <Deliveries
        view={view}
        fixedEndpoint={id}
        onChange={show}
        onLeave={() => void navigate({ to: '/webhooks' })}
      />
    </>
  );
}
