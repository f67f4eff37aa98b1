import type { UseQueryResult } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { Worker } from '../api/types.js';
import { formatTokens } from '../format/amounts.js';
import { ProblemNotice } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { Panel } from './panel.js';
import { releasesOf, type Release } from './releases.js';
import { WorkerTable } from './worker-table.js';

interface WorkersProps {
  readonly query: UseQueryResult<Worker[]>;
  readonly missingScope: string | null;
}

/** Releases side by side, and every worker process of the installation. */
export function Workers({ query, missingScope }: WorkersProps) {
  const workers = query.data ?? [];
  const releases = releasesOf(workers);
  return (
    <div className="border-t border-line">
      <Panel title="Workers" note={releases.length > 1 && <Skew count={releases.length} />}>
        {missingScope !== null && <p className="px-4 py-3 text-muted">{missingScope}.</p>}
        {query.isError && query.data === undefined && (
          <ProblemNotice
            error={query.error}
            title="The workers could not be read"
            onRetry={() => void query.refetch()}
          />
        )}
        {query.isSuccess && workers.length === 0 && (
          <p className="px-4 py-3 text-muted">
            No worker has announced itself: queued runs wait until one starts.
          </p>
        )}
        {releases.length > 0 && (
          <ul className="flex flex-wrap gap-x-8 gap-y-2 border-b border-line px-4 py-3" aria-label="Releases">
            {releases.map((release) => (
              <ReleaseItem
                key={release.name}
                release={release}
                isOlder={release.lastStart < (releases[0]?.lastStart ?? '')}
              />
            ))}
          </ul>
        )}
        {workers.length > 0 && <WorkerTable workers={workers} newest={releases[0]?.name ?? null} />}
      </Panel>
    </div>
  );
}

function Skew({ count }: { readonly count: number }) {
  return (
    <span className="flex items-center gap-1.5 text-action">
      <TriangleAlert aria-hidden className="size-3.5" /> {count} releases at once
    </span>
  );
}

function ReleaseItem({ release, isOlder }: { readonly release: Release; readonly isOlder: boolean }) {
  const { name, workers, draining, slots, slotsInUse, lastStart } = release;
  return (
    <li>
      <p>
        <span className="font-mono text-sm font-semibold">{name ?? 'unknown release'}</span>
        {isOlder && <span className="ml-2 text-sm text-action">started earlier</span>}
      </p>
      <p className="text-sm text-muted">
        {formatTokens(workers)} {workers === 1 ? 'worker' : 'workers'}
        {draining > 0 && `, ${formatTokens(draining)} draining`} · {formatTokens(slotsInUse)} of{' '}
        {formatTokens(slots)} slots · last start <Time at={lastStart} />
      </p>
    </li>
  );
}
