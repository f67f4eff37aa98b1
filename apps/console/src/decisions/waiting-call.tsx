import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { toolsQuery } from '../api/tools.js';
import { useMissingScope } from '../app/session.js';
import type { Decision, WaitingCall } from '../api/types.js';
import { EffectBadge } from '../ui/effect.js';
import { JsonView } from '../ui/json-view.js';
import { LongText } from '../ui/long-text.js';
import { ProblemNotice } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { DecideApproval } from './decide-approval.js';
import { DecideOutcome } from './decide-outcome.js';
import { useDecide } from './use-decide.js';

/** A call that waits for a person: exactly what would run, or ran, and the decision. */
export function WaitingCallPanel({
  executionId,
  call,
  isWaiting = true,
  onDecided,
}: {
  readonly executionId: string;
  readonly call: WaitingCall;
  /** Called with the key of the call once the service has taken a decision over it. */
  readonly onDecided?: (key: string) => void;
  /** False once the run does not wait for it any more: the call stays shown, without its buttons. */
  readonly isWaiting?: boolean;
}) {
  const deciding = useDecide(executionId);
  const missingScope = useMissingScope('approvals:decide');
  const key = `${executionId} ${call.call}`;
  const onDecide = (decision: Decision): void =>
    deciding.mutate(decision, { onSuccess: () => onDecided?.(key) });
  const isDecided = !isWaiting || deciding.isSuccess;
  const parts = { call, onDecide, isPending: deciding.isPending, unavailable: missingScope };
  return (
    <div
      tabIndex={-1}
      role="group"
      aria-label={`Call ${call.call} of ${call.tool_name}`}
      data-call={key}
      data-waiting={!isDecided}
      className="border-l-2 border-action pl-4 focus:outline-2 focus:outline-offset-4 focus:outline-accent"
    >
      <h2 className="flex flex-wrap items-center gap-x-2 text-base font-semibold">
        <TriangleAlert aria-hidden className="size-4 text-action" />
        {call.asks === 'approval' ? 'May it run?' : 'Did it take effect?'}
        <span className="font-mono font-normal">{call.tool_name}</span>
        <span className="font-normal text-muted">
          call {call.call}
          {call.scope !== undefined && call.scope !== '' && ` in scope ${call.scope}`}
        </span>
      </h2>
      <ToolEffect name={call.tool_name} />
      <p className="mt-1 text-muted">{reasonOf(call)}</p>
      <h3 className="mt-2 text-sm text-muted">With exactly this input</h3>
      <div tabIndex={0} role="group" aria-label="Input" className="max-h-[min(20rem,25dvh)] overflow-y-auto">
        <LongText
          text={JSON.stringify(call.tool_input ?? null, null, 2)}
          fileName={`${call.tool_name}-input.json`}
          className="font-mono text-sm"
        />
      </div>
      {call.late_evidence !== undefined && call.late_evidence.length > 0 && <Evidence call={call} />}
      <div className="mt-3">
        {isDecided ? (
          <p className="flex h-8 items-center text-muted">Decided, or not waiting any more</p>
        ) : call.asks === 'approval' ? (
          <DecideApproval {...parts} />
        ) : (
          <DecideOutcome {...parts} />
        )}
      </div>
      {!isDecided && deciding.isError && <ProblemNotice error={deciding.error} />}
    </div>
  );
}

/**
 * The effect of the tool, as the catalogue of tools has it now. Its line is there before the catalogue is read: the buttons
 * below would otherwise move away under the pointer of a person who presses one.
 */
function ToolEffect({ name }: { readonly name: string }) {
  const tools = useQuery(toolsQuery);
  const tool = tools.data?.find((each) => each.name === name);
  return (
    <p className="mt-1 flex h-5 items-center gap-x-2">
      <span className="text-muted">Effect</span>
      {tools.isPending ? null : tool === undefined ? 'unknown' : <EffectBadge effect={tool.effect} />}
      {tool !== undefined && (
        <span className="min-w-0 flex-1 truncate text-muted" title={tool.description}>
          {tool.description}
        </span>
      )}
    </p>
  );
}

function reasonOf({ asks, reason }: WaitingCall): string {
  if (asks === 'outcome') {
    return 'The worker was lost while the call was under way. Look at the other system, and say what is there.';
  }
  return reason === 'foreign_content'
    ? 'It asks because contents from outside were read before in this run, and may have led to this call.'
    : 'The agent asks before it runs this tool. Nothing has happened yet.';
}

function Evidence({ call }: { readonly call: WaitingCall }) {
  return (
    <div>
      <h3 className="mt-2 text-sm text-muted">Evidence that came later</h3>
      <ul>
        {call.late_evidence?.map(({ epoch, status, output, observed_at }) => (
          <li key={`${epoch} ${observed_at}`}>
            {status === 'succeeded' ? 'Succeeded' : 'Failed'}, <Time at={observed_at} />
            <JsonView label="Output" value={output} fileName={`${call.tool_name}-evidence.json`} />
          </li>
        ))}
      </ul>
    </div>
  );
}
