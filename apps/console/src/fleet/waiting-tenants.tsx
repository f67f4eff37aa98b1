import type { Overview } from '../api/types.js';
import { formatTokens } from '../format/amounts.js';
import { formatDuration } from '../format/durations.js';
import { Panel } from './panel.js';

interface WaitingTenantsProps {
  /** Null: the key may not see them. */
  readonly tenants: Overview['waiting_tenants'];
  readonly missingScope: string | null;
}

/** Tenants of the installation whose runs wait for a worker. */
export function WaitingTenants({ tenants, missingScope }: WaitingTenantsProps) {
  return (
    <Panel title="Longest waits by tenant">
      {tenants === null && (
        <p className="px-4 py-3 text-muted">{missingScope ?? 'The service does not answer this'}.</p>
      )}
      {tenants?.length === 0 && <p className="px-4 py-3 text-muted">No run waits for a worker.</p>}
      <ul>
        {tenants?.map(({ tenant_id, queued, oldest_wait_seconds }) => (
          <li key={tenant_id} className="flex h-9 items-center gap-3 border-b border-line px-4">
            <span className="min-w-0 flex-1 truncate" title={tenant_id}>
              {tenant_id}
            </span>
            <span className="text-muted">{formatTokens(queued)} queued</span>
            <span className="w-24 text-right">{formatDuration(oldest_wait_seconds * 1000)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
