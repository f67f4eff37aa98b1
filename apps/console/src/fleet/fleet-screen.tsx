import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { overviewQuery } from '../api/overview.js';
import { useMissingScope } from '../app/session.js';
import { Live } from '../ui/live.js';
import { ProblemNotice } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Segments } from '../ui/segments.js';
import { Errors } from './errors.js';
import { readinessQuery, workersQuery } from './fleet-queries.js';
import { WINDOWS } from './fleet-search.js';
import { OverviewFigures } from './overview-figures.js';
import { SettledChart } from './settled-chart.js';
import { SilentHostsPanel } from './silent-hosts-panel.js';
import { WaitingTenants } from './waiting-tenants.js';
import { Workers } from './workers.js';

const route = getRouteApi('/fleet');
const WINDOW_WORDS = { '1h': '1 h', '24h': '24 h', '7d': '7 d' } as const;

/** Load, outcomes and workers of the installation, kept current. */
export function FleetScreen() {
  const { window = '1h' } = route.useSearch();
  const navigate = useNavigate();
  const missingAdmin = useMissingScope('admin');
  const overview = useQuery(overviewQuery(window));
  const workers = useQuery(workersQuery(missingAdmin === null));
  const { data } = overview;
  return (
    <>
      <ScreenHeader title="Fleet">
        <Live currency="live" error={overview.error ?? workers.error} />
        <Readiness />
        <div className="ml-auto">
          <Segments
            label="Window"
            current={window}
            options={WINDOWS.map((name) => ({ name, label: WINDOW_WORDS[name] }))}
            onChange={(name) => void navigate({ to: '/fleet', search: { window: name }, replace: true })}
          />
        </div>
      </ScreenHeader>
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        {overview.isError && data === undefined && (
          <ProblemNotice
            error={overview.error}
            title="The sums could not be read"
            onRetry={() => void overview.refetch()}
          />
        )}
        {data !== undefined && (
          <>
            <OverviewFigures overview={data} workers={workers.data ?? null} />
            <SettledChart overview={data} />
            <div className="grid border-t border-line lg:grid-cols-2">
              <Errors key={`errors ${data.window}`} overview={data} />
              <WaitingTenants tenants={data.waiting_tenants} missingScope={missingAdmin} />
            </div>
          </>
        )}
        <Workers query={workers} missingScope={missingAdmin} />
        {workers.data !== undefined && <SilentHostsPanel workers={workers.data} />}
      </div>
    </>
  );
}

function Readiness() {
  const { data } = useQuery(readinessQuery);
  if (data === undefined) return null;
  const Icon = data === null ? CircleCheck : TriangleAlert;
  return (
    <span className="flex items-center gap-1.5 text-sm text-muted">
      <Icon aria-hidden className={data === null ? 'size-3.5 text-done' : 'size-3.5 text-failed'} />
      {data ?? 'Database and queue answer'}
    </span>
  );
}
