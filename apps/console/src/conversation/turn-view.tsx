import { useState, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { isSettled } from '../api/runs.js';
import type { ExecutionSummary } from '../api/types.js';
import { formatCost, formatTokens, UNKNOWN } from '../format/amounts.js';
import { shortId } from '../format/ids.js';
import { Status } from '../ui/status.js';
import { Duration, Time } from '../ui/time.js';
import { LiveTurn } from './live-turn.js';
import { StoredTurn } from './stored-turn.js';
import type { Turn } from './turns-of.js';

/** One turn with its run. A turn that was under way when it came into view goes on being shown as its events said. */
export function TurnView({ turn, sessionUuid }: { readonly turn: Turn; readonly sessionUuid: string }) {
  const { run, runId } = turn;
  const [wasUnderWay, setWasUnderWay] = useState(false);
  const isUnderWay = run !== null && !isSettled(run);
  if (isUnderWay && !wasUnderWay) setWasUnderWay(true);
  return (
    <article aria-label={`Turn ${turn.number}`} className="max-w-4xl px-4 pt-2 pb-3">
      <TurnHeader number={turn.number} runId={runId} run={run} />
      {runId !== null && (isUnderWay || wasUnderWay) ? (
        <LiveTurn turn={turn} runId={runId} sessionUuid={sessionUuid} />
      ) : (
        <StoredTurn turn={turn} />
      )}
    </article>
  );
}

interface TurnHeaderProps {
  readonly number: number;
  readonly runId: string | null;
  readonly run: ExecutionSummary | null;
}

function TurnHeader({ number, runId, run }: TurnHeaderProps) {
  return (
    <header className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
      <h2 className="font-normal">Turn {number}</h2>
      {runId !== null && (
        <Link
          to="/runs/$id"
          params={{ id: runId }}
          title={runId}
          className="hover:underline"
          data-turn={number}
        >
          Run <span className="font-mono">{shortId(runId)}</span>
        </Link>
      )}
      {run !== null && <RunFacts run={run} />}
      {runId !== null && run === null && <span>The run was deleted</span>}
    </header>
  );
}

function RunFacts({ run }: { readonly run: ExecutionSummary }): ReactNode {
  return (
    <>
      <Status status={run.status} />
      {run.agent_version !== null && <span>Version {run.agent_version}</span>}
      <Time at={run.created_at} />
      <Duration of={run} />
      {isSettled(run) && <span>{spentOf(run)}</span>}
    </>
  );
}

function spentOf({ usage }: ExecutionSummary): string {
  const tokens = formatTokens(usage?.total_tokens);
  const cost = formatCost(usage?.total_cost_usd);
  return `${tokens === UNKNOWN ? 'tokens unknown' : `${tokens} tokens`}, ${cost === UNKNOWN ? 'cost unknown' : cost}`;
}
