import { useState } from 'react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Tabs } from '../ui/tabs.js';
import { Deliveries } from './deliveries/deliveries.js';
import { EndpointForm } from './endpoint/endpoint-form.js';
import { EndpointsList } from './endpoint/endpoints-list.js';
import { SecretBanner, type ShownSecret } from './secret-banner.js';
import { SigningSecret } from './signing-secret.js';
import type { WebhooksView, WebhookTab } from './webhooks-search.js';

const route = getRouteApi('/webhooks');

const TABS: readonly { readonly name: WebhookTab; readonly label: string }[] = [
  { name: 'endpoints', label: 'Endpoints' },
  { name: 'deliveries', label: 'Deliveries' },
];

/** Endpoints of the tenant, and the deliveries to all receivers. */
export function WebhooksScreen() {
  const { tab = 'endpoints', ...view } = route.useSearch();
  const navigate = useNavigate();
  const missingScope = useMissingScope('webhooks:write');
  const [isCreating, setIsCreating] = useState(false);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const show = (next: WebhooksView): void => void navigate({ to: '/webhooks', search: next, replace: true });
  return (
    <>
      <ScreenHeader title="Webhooks">
        <div className="flex-1" />
        <SigningSecret
          onSecret={(secret) => setShown({ of: 'New signing secret of single runs.', secret })}
        />
        <Button look="primary" unavailable={missingScope} onClick={() => setIsCreating(true)}>
          <Plus aria-hidden className="size-3.5" /> New endpoint
        </Button>
      </ScreenHeader>
      {shown !== null && <SecretBanner shown={shown} onTaken={() => setShown(null)} />}
      <Tabs
        label="Views of the webhooks"
        tabs={TABS}
        current={tab}
        onChange={(next) => show(next === 'endpoints' ? {} : { tab: next })}
      >
        {tab === 'endpoints' && <EndpointsList />}
        {tab === 'deliveries' && (
          <Deliveries view={view} onChange={(next) => show({ ...next, tab })} onLeave={null} />
        )}
      </Tabs>
      {isCreating && (
        <EndpointForm
          current={null}
          onClose={() => setIsCreating(false)}
          onSaved={({ url }, secret) => {
            if (secret !== null) setShown({ of: `Secret of ${url}.`, secret });
          }}
        />
      )}
    </>
  );
}
