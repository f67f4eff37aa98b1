import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { toolServersQuery, toolsQuery } from '../api/tools.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Tabs } from '../ui/tabs.js';
import { ConnectionsTab } from './connections-tab.js';
import { ServersTab } from './servers-tab.js';
import { ToolsTab } from './tools-tab.js';
import type { Tab, ToolsSearch } from './tools-search.js';

const route = getRouteApi('/tools');

export function ToolsScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const missingScope = useMissingScope('agents:write');
  const tools = useQuery(toolsQuery);
  const servers = useQuery(toolServersQuery);
  const { tab = 'tools' } = search;
  const show = (next: ToolsSearch): void => void navigate({ to: '/tools', search: next, replace: true });
  const tabs: readonly { readonly name: Tab; readonly label: string; readonly note?: ReactNode }[] = [
    { name: 'tools', label: 'Tools', note: <Count rows={tools.data} /> },
    { name: 'servers', label: 'Servers', note: <Count rows={servers.data} /> },
    { name: 'connections', label: 'Connections' },
  ];
  return (
    <>
      <ScreenHeader title="Tools">
        <div className="flex-1" />
        <Button
          look="primary"
          unavailable={missingScope}
          onClick={() => void navigate({ to: '/tools/servers/new' })}
        >
          <Plus aria-hidden className="size-3.5" /> New server
        </Button>
      </ScreenHeader>
      <Tabs label="Kinds" tabs={tabs} current={tab} onChange={(next) => show({ tab: next })}>
        {tab === 'tools' && <ToolsTab search={search} onShow={show} />}
        {tab === 'servers' && <ServersTab />}
        {tab === 'connections' && <ConnectionsTab search={search} onShow={show} />}
      </Tabs>
    </>
  );
}

function Count({ rows }: { readonly rows: readonly unknown[] | undefined }) {
  return rows === undefined ? null : <span className="font-normal text-muted"> {rows.length}</span>;
}
