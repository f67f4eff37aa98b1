import { useEffect } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { isSettled, runQuery } from '../api/runs.js';
import type { Execution } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { WaitingCallPanel } from '../decisions/waiting-call.js';
import { Button } from '../ui/button.js';
import { LongText } from '../ui/long-text.js';
import { ProblemNotice } from '../ui/notice.js';
import { Entry, Said } from './entry.js';
import { MessageData } from './message-data.js';
import { StoredMessage } from './stored-turn.js';
import type { Turn } from './turns-of.js';
import { useRunEvents } from './use-run-events.js';
import { toastProblem } from '../ui/problem-toast.js';

/** More entries of one turn would make the page slow; the page of the run has all. */
const MAX_ENTRIES = 200;

interface LiveTurnProps {
  readonly turn: Turn;
  readonly runId: string;
  readonly sessionUuid: string;
}

/** A turn that is under way, or was a moment ago: text and tool calls as they come, and decisions where it waits. */
export function LiveTurn({ turn, runId, sessionUuid }: LiveTurnProps) {
  const { data: run } = useQuery(runQuery(runId));
  const { conversation, connection, error } = useRunEvents(runId);
  const isOver = run !== undefined && isSettled(run);
  useTellSession(sessionUuid, isOver, connection === 'ended');
  const { entries } = conversation;
  const question = turn.messages.find(({ role }) => role === 'user');
  return (
    <>
      {question === undefined ? (
        <Said by="User">
          <LongText text={run?.input ?? turn.run?.input ?? ''} fileName="input.txt" />
        </Said>
      ) : (
        <StoredMessage message={question} />
      )}
      {entries.length > MAX_ENTRIES && (
        <p className="text-sm text-muted sm:ml-20">
          {entries.length - MAX_ENTRIES} earlier entries: see the conversation of the run
        </p>
      )}
      <div aria-live="polite" aria-busy={!isOver}>
        {entries.slice(-MAX_ENTRIES).map((entry, index, shown) => (
          <div key={entry.key} className="py-1">
            <Entry entry={entry} isLive={!isOver && index === shown.length - 1} />
          </div>
        ))}
      </div>
      {error !== null && <ProblemNotice error={error} title="The events could not be read" />}
      {run?.result?.message.data !== undefined && (
        <div className="sm:ml-20">
          <MessageData data={run.result.message.data} fileName={`answer-${runId}-data.json`} />
        </div>
      )}
      {run !== undefined && !isOver && <UnderWay run={run} isInterrupted={connection === 'interrupted'} />}
    </>
  );
}

/** Has the session read anew when the turn ends: its messages are stored with the end, its title may come later. */
function useTellSession(uuid: string, isOver: boolean, isStreamOver: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isOver || isStreamOver) void queries.invalidateQueries({ queryKey: ['session', uuid] });
  }, [queries, uuid, isOver, isStreamOver]);
}

function UnderWay({ run, isInterrupted }: { readonly run: Execution; readonly isInterrupted: boolean }) {
  return (
    <div className="mt-1 flex flex-col gap-3 sm:ml-20">
      {run.required_action?.calls.map((call) => (
        <WaitingCallPanel key={`${call.scope ?? ''} ${call.call}`} executionId={run.id} call={call} />
      ))}
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <CancelRun run={run} />
        {run.waiting_for !== null && run.required_action === null && (
          <span className="text-action">Waits: {run.waiting_for.message}</span>
        )}
        {isInterrupted && (
          <span role="status" className="text-failed">
            Not current: connecting again …
          </span>
        )}
      </div>
    </div>
  );
}

function CancelRun({ run }: { readonly run: Execution }) {
  const queries = useQueryClient();
  const missingScope = useMissingScope('executions:write');
  const cancelling = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/executions/{id}/cancel/', {
          params: { path: { id: run.id }, header: newIdempotencyKey() },
        }),
      ),
    onError: toastProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] }),
  });
  return (
    <Button
      className="h-7 px-2"
      unavailable={missingScope}
      disabled={cancelling.isPending || cancelling.isSuccess}
      onClick={() => cancelling.mutate()}
    >
      <Square aria-hidden className="size-3.5" /> {cancelling.isSuccess ? 'Being cancelled …' : 'Cancel'}
    </Button>
  );
}
