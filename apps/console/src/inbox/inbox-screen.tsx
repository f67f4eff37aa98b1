import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAgentName } from '../api/agents.js';
import type { ExecutionSummary } from '../api/types.js';
import { keepPerson, readPerson } from '../decisions/person.js';
import { WaitingCallPanel } from '../decisions/waiting-call.js';
import { shortId } from '../format/ids.js';
import { Countdown } from '../ui/countdown.js';
import { Input } from '../ui/field.js';
import { Empty, ProblemNotice } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Time } from '../ui/time.js';
import { InboxCounts } from './inbox-counts.js';
import { keepPlaces, type Kept } from './keep-places.js';
import { useCallKeys } from './use-call-keys.js';
import { waitingRunsQuery } from './waiting-runs.js';

const NONE: readonly ExecutionSummary[] = [];

/** All decisions that runs wait for, the longest waiting first. */
export function InboxScreen() {
  const waiting = useQuery(waitingRunsQuery);
  const runs = waiting.data?.data ?? NONE;
  const [kept, setKept] = useState<readonly Kept[]>([]);
  const places = keepPlaces(kept, runs);
  if (places !== kept) setKept(places);
  const goToNext = useCallKeys();
  return (
    <>
      <ScreenHeader title="Inbox">
        {waiting.isSuccess && <InboxCounts runs={runs} hasMore={waiting.data.has_more} />}
        <Person />
      </ScreenHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {waiting.isError && places.length === 0 && (
          <ProblemNotice
            error={waiting.error}
            title="The inbox could not be read"
            onRetry={() => void waiting.refetch()}
          />
        )}
        {waiting.isSuccess && places.length === 0 && (
          <Empty title="Nothing waits for a decision">
            <p className="text-muted">
              Tool calls that need the approval of a person appear here, and calls whose outcome is unknown.
            </p>
          </Empty>
        )}
        <ul>
          {places.map(({ run, isWaiting }) => (
            <WaitingRun key={run.id} run={run} isWaiting={isWaiting} onDecided={goToNext} />
          ))}
        </ul>
      </div>
    </>
  );
}

function WaitingRun({ run, isWaiting, onDecided }: Kept & { onDecided: (key: string) => void }) {
  const agentName = useAgentName();
  const action = run.required_action;
  if (action === null) return null;
  return (
    <li className="border-b border-line px-4 py-4">
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
        <Link to="/runs/$id" params={{ id: run.id }} className="font-semibold hover:underline">
          {agentName(run.agent_id)} <span className="font-mono text-sm font-normal">{shortId(run.id)}</span>
        </Link>
        <span className="text-muted">
          waits since{' '}
          {run.waiting_for === null ? <Time at={run.created_at} /> : <Time at={run.waiting_for.since} />}
        </span>
        <span className="text-muted">
          asked by <Executor of={run} />
        </span>
        {isWaiting && (
          <span className="text-muted">
            counts as refused in <Countdown to={action.expires_at} over="a moment: the time is over" />
          </span>
        )}
      </p>
      <div className="flex flex-col gap-4">
        {action.calls.map((call) => (
          <WaitingCallPanel
            key={`${call.call} ${action.expires_at}`}
            executionId={run.id}
            call={call}
            isWaiting={isWaiting}
            onDecided={onDecided}
          />
        ))}
      </div>
    </li>
  );
}

/** The person on whose behalf the agent acts. */
function Executor({ of: { executor } }: { readonly of: ExecutionSummary }) {
  if (executor === null) return 'an unnamed client';
  const { user_id: id, name } = executor;
  return (
    <span className="text-ink">
      {name !== undefined && name !== '' && name !== id ? `${name} ` : ''}
      <span className="font-mono text-sm">{id}</span>
    </span>
  );
}

/** Name that is recorded with decisions, kept in this browser. */
function Person() {
  const [name, setName] = useState(readPerson);
  return (
    <label className="ml-auto flex items-center gap-2 text-sm text-muted">
      Decide as
      <Input
        value={name}
        placeholder="your name"
        maxLength={200}
        className="w-40"
        onChange={({ target }) => {
          setName(target.value);
          keepPerson(target.value);
        }}
      />
    </label>
  );
}
