import { Suspense } from 'react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { NotFound } from '../app/not-found.js';
import { useMissingScope } from '../app/session.js';
import { Empty } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Tabs } from '../ui/tabs.js';
import { AppearanceTab } from './appearance-tab.js';
import { CatalogueTab } from './catalogue/catalogue-tab.js';
import { KeysTab } from './keys/keys-tab.js';
import { ModelsTab } from './models/models-tab.js';
import { tabOf, TABS, type Tab } from './settings-search.js';
import { SignInsTab } from './sign-ins-tab.js';
import { SigningTab } from './signing-tab.js';
import { SkillsTab } from './skills/skills-tab.js';
import { TenantsTab } from './tenants/tenants-tab.js';

const route = getRouteApi('/settings/$tab');

const LOOK: Readonly<Record<Tab, { label: string; needs: string | null; Content: () => React.ReactNode }>> = {
  models: { label: 'Models', needs: 'agents:read', Content: ModelsTab },
  catalogue: { label: 'Catalogue', needs: 'agents:read', Content: CatalogueTab },
  keys: { label: 'API keys', needs: 'admin', Content: KeysTab },
  'sign-ins': { label: 'Sign-ins', needs: null, Content: SignInsTab },
  tenants: { label: 'Tenants', needs: 'admin', Content: TenantsTab },
  skills: { label: 'Skills', needs: 'agents:read', Content: SkillsTab },
  webhooks: { label: 'Webhook signing', needs: null, Content: SigningTab },
  appearance: { label: 'Appearance', needs: null, Content: AppearanceTab },
};

export function SettingsScreen() {
  const tab = tabOf(route.useParams().tab);
  const navigate = useNavigate();
  if (tab === null) return <NotFound />;
  const { needs, Content } = LOOK[tab];
  return (
    <>
      <ScreenHeader title="Settings" />
      <Tabs
        label="Settings"
        current={tab}
        tabs={TABS.map((name) => ({ name, label: LOOK[name].label }))}
        onChange={(name) => void navigate({ to: '/settings/$tab', params: { tab: name } })}
      >
        <Suspense fallback={null}>
          {needs === null ? <Content /> : <WithScope scope={needs} Content={Content} />}
        </Suspense>
      </Tabs>
    </>
  );
}

/** In place of a tab that the key may not read: the scope that it needs. */
function WithScope({ scope, Content }: { readonly scope: string; readonly Content: () => React.ReactNode }) {
  const missing = useMissingScope(scope);
  if (missing === null) return <Content />;
  return (
    <Empty title="This key may not see it">
      <p className="text-muted">{missing}.</p>
    </Empty>
  );
}
