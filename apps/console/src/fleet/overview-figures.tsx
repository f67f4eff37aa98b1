import { Link } from '@tanstack/react-router';
import type { Overview, Worker } from '../api/types.js';
import { formatCost, formatTokens } from '../format/amounts.js';
import { formatDuration } from '../format/durations.js';
import { Figure, Figures } from '../ui/figures.js';
import { slotsOf } from './releases.js';

interface OverviewFiguresProps {
  readonly overview: Overview;
  /** Null where they are not known. */
  readonly workers: readonly Worker[] | null;
}

/** Numbers of the tenant, and slots of all workers where the key may see them. */
export function OverviewFigures({ overview, workers }: OverviewFiguresProps) {
  const { under_way, oldest_wait_seconds, settled, settled_per_minute, duration_ms, usage } = overview;
  const count = Object.values(settled).reduce((sum, each) => sum + each, 0);
  const isNothingKnown = usage.unpriced_executions > 0 && Number(usage.total_cost_usd) === 0;
  const slots = workers === null ? null : slotsOf(workers);
  return (
    <Figures label="Load and outcomes">
      <Figure
        name="Queued"
        value={
          <Link to="/runs" search={{ status: 'queued' }} className="hover:underline">
            {formatTokens(under_way.queued)}
          </Link>
        }
        note={
          oldest_wait_seconds === null
            ? 'none waits'
            : `oldest waits ${formatDuration(oldest_wait_seconds * 1000)}`
        }
      />
      <Figure
        name="Running"
        value={
          <Link to="/runs" search={{ status: 'running' }} className="hover:underline">
            {formatTokens(under_way.running)}
          </Link>
        }
        note={
          slots === null ? undefined : `${formatTokens(slots.inUse)} of ${formatTokens(slots.total)} slots`
        }
      />
      <Figure
        name="Need a decision"
        value={
          <Link to="/inbox" className="hover:underline">
            {formatTokens(under_way.requires_action)}
          </Link>
        }
      />
      <Figure
        name="Settled per minute"
        value={settled_per_minute.toLocaleString('en-US')}
        note={`${formatTokens(count)} in the window`}
      />
      <Figure
        name="Failed"
        value={count === 0 ? '–' : percent(settled.failed / count)}
        note={`${formatTokens(settled.failed)} of ${formatTokens(count)}`}
      />
      <Figure name="Duration p50" value={duration_ms === null ? '–' : formatDuration(duration_ms.p50)} />
      <Figure name="Duration p95" value={duration_ms === null ? '–' : formatDuration(duration_ms.p95)} />
      <Figure
        name="Cost"
        value={formatCost(isNothingKnown ? null : usage.total_cost_usd)}
        note={
          usage.unpriced_executions === 0
            ? undefined
            : `${formatTokens(usage.unpriced_executions)} of unknown cost`
        }
      />
    </Figures>
  );
}

function percent(share: number): string {
  if (share === 0) return '0 %';
  return share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
