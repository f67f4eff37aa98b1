import { useSyncExternalStore, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useAgentName } from '../api/agents.js';
import type { Execution, ExecutionWithRequest } from '../api/types.js';
import { formatCost, formatTokens, UNKNOWN } from '../format/amounts.js';
import { shortId } from '../format/ids.js';
import { Countdown } from '../ui/countdown.js';
import { CopyButton } from '../ui/copy-button.js';
import { Status } from '../ui/status.js';
import { Duration, Time } from '../ui/time.js';
import { RunActions } from './run-actions.js';
import type { RunEventsStore } from '../conversation/run-events-store.js';
import type { Timeline } from './timeline/use-timeline.js';

interface RunHeaderProps {
  readonly run: ExecutionWithRequest;
  readonly store: RunEventsStore;
  readonly timeline: Timeline;
}

/** State of a run, what it waits for, what it took, and what can be done with it. */
export function RunHeader({ run, store, timeline }: RunHeaderProps) {
  const agentName = useAgentName();
  const connection = useSyncExternalStore(store.subscribe, store.getConnection);
  return (
    <header className="shrink-0 border-b border-line px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="flex min-w-0 items-center gap-1 text-lg font-semibold">
          <Link to="/runs" className="text-muted hover:underline">
            Runs
          </Link>
          <span aria-hidden className="text-muted">
            /
          </span>
          <span className="font-mono text-base" title={run.id}>
            {shortId(run.id)}
          </span>
          <CopyButton text={run.id} label="Copy the id" />
        </h1>
        <Status status={run.status} className="font-medium" />
        {connection === 'interrupted' && (
          <span role="status" className="text-sm text-failed">
            Not current: connecting again …
          </span>
        )}
        <div className="flex-1" />
        <RunActions run={run} />
      </div>
      <dl className="mt-1 flex flex-wrap gap-x-6 gap-y-1">
        <Fact name="Agent">
          <bdi>{agentName(run.agent_id)}</bdi>
          {run.agent_version !== null && <span className="text-muted">@{run.agent_version}</span>}
        </Fact>
        <Fact name="Created">
          <Time at={run.created_at} />
        </Fact>
        <Fact name="Duration">
          <Duration of={run} />
        </Fact>
        <Fact name="Attempt">{run.attempt}</Fact>
        <Fact name="Tokens">
          {run.usage === null
            ? UNKNOWN
            : `${formatTokens(run.usage.input_tokens)} in, ${formatTokens(run.usage.output_tokens)} out`}
        </Fact>
        <Fact name="Cost">{formatCost(run.usage?.total_cost_usd)}</Fact>
        <CallSums timeline={timeline} />
        <Fact name="Session">
          <Link
            to="/sessions/$uuid"
            params={{ uuid: run.session_uuid }}
            search={{ turn: run.turn_number }}
            title={run.session_uuid}
            className="font-mono text-sm hover:underline"
          >
            {shortId(run.session_uuid)}
          </Link>
          <span className="text-muted"> turn {run.turn_number}</span>
        </Fact>
        {Object.entries(run.metadata).map(([key, value]) => (
          <Fact key={key} name={key}>
            <span className="inline-block max-w-60 truncate align-bottom">{value}</span>
          </Fact>
        ))}
      </dl>
      <Condition run={run} />
    </header>
  );
}

/** Sums over its calls, with a `+` while more of them are being read. */
function CallSums({ timeline: { sum, progress } }: { readonly timeline: Timeline }) {
  const more = progress === 'read' ? '' : '+';
  const { hasSteps, subAgents, subAgentModels: inner } = sum;
  return (
    <>
      <Fact name="Tool calls">
        {sum.toolCalls.toLocaleString('en-US') + more}
        {sum.failedCalls > 0 && <span className="text-failed">, {sum.failedCalls} failed</span>}
        {sum.unknownCalls > 0 && <span className="text-action">, {sum.unknownCalls} unknown</span>}
      </Fact>
      <Fact name="Model calls">{sum.models.calls.toLocaleString('en-US') + more}</Fact>
      {subAgents > 0 && (
        <Fact name={hasSteps ? 'Inner loops' : 'Sub-agents'}>
          <span title="Part of the tokens and the cost of the run">
            {subAgents}
            {more}: {formatTokens(inner.inputTokens)} in, {formatTokens(inner.outputTokens)} out,{' '}
            {formatCost(inner.cost === null ? null : String(inner.cost))}
          </span>
        </Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Why the run does not go on: what it waits for, or how it ended otherwise than well. */
function Condition({ run }: { readonly run: Execution }) {
  if (run.error !== null) {
    return (
      <p className="mt-2 text-failed wrap-anywhere">
        <span className="font-semibold">{run.error.code}</span> {run.error.message.slice(0, 2000)}
      </p>
    );
  }
  if (run.waiting_for !== null) {
    const { message, since, next_try_at, deadline_at } = run.waiting_for;
    return (
      <p className="mt-2 text-action">
        Waits: {message}, since <Time at={since} />
        {next_try_at !== null && (
          <>
            , next try <Time at={next_try_at} />
          </>
        )}
        {deadline_at !== null && (
          <>
            , for at most <Countdown to={deadline_at} over="no longer: its time is over" />
          </>
        )}
      </p>
    );
  }
  if (run.incomplete_details !== null) {
    return (
      <p className="mt-2 text-partial">Stopped early: {run.incomplete_details.reason.replaceAll('_', ' ')}</p>
    );
  }
  return null;
}
