import { useInfiniteQuery } from '@tanstack/react-query';
import { useMissingScope } from '../app/session.js';
import { isSettled, stepsQuery } from '../api/runs.js';
import type { ExecutionSummary, Message } from '../api/types.js';
import { Button } from '../ui/button.js';
import { LongText } from '../ui/long-text.js';
import { AgentText, Entry, Said, SaidText } from './entry.js';
import { MessageData } from './message-data.js';
import { toolOf } from './tool-of.js';
import type { Turn } from './turns-of.js';

/** A turn that is over, as messages and steps were stored. */
export function StoredTurn({ turn: { run, runId, messages } }: { readonly turn: Turn }) {
  const said = messages.filter(({ role }) => role !== 'assistant');
  const answers = messages.filter(({ role }) => role === 'assistant');
  return (
    <>
      {said.map((message) => (
        <StoredMessage key={message.id} message={message} />
      ))}
      {said.length === 0 && run !== null && <Asked run={run} />}
      {run !== null && runId !== null && <StoredCalls run={run} />}
      {answers.map((message) => (
        <StoredMessage key={message.id} message={message} />
      ))}
      {run !== null && <HowItEnded run={run} />}
    </>
  );
}

const AUTHORS: Readonly<Record<Message['role'], string>> = {
  system: 'Instruction',
  user: 'User',
  assistant: 'Agent',
  tool: 'Tool',
};

export function StoredMessage({ message }: { readonly message: Message }) {
  const { id, role, content, data, truncated } = message;
  if (role === 'system') return <Instruction content={content} />;
  return (
    <Said by={AUTHORS[role]}>
      <div className="min-w-0">
        {role === 'assistant' ? (
          <AgentText text={content} />
        ) : (
          <SaidText text={content} fileName={`message-${id}.txt`} />
        )}
        {truncated === true && <p className="text-sm text-muted">Cut: only its beginning is kept.</p>}
        <MessageData data={data} fileName={`message-${id}-data.json`} />
      </div>
    </Said>
  );
}

/** Instruction of the agent, as the session keeps it from its first turn: long, and seldom asked for. */
function Instruction({ content }: Pick<Message, 'content'>) {
  return (
    <details className="py-1 sm:ml-20">
      <summary className="w-fit cursor-pointer text-sm text-muted hover:text-ink">
        Instruction of the session
      </summary>
      <div className="mt-1 border-l border-line pl-3">
        <LongText text={content} fileName="instruction.txt" />
      </div>
    </details>
  );
}

/** The question of a run that left no message, such as one that failed; a list has its beginning alone. */
function Asked({ run }: { readonly run: ExecutionSummary }) {
  return (
    <Said by="User">
      <div className="min-w-0">
        <SaidText text={run.input} fileName="input.txt" />
        {run.input_truncated && <p className="text-sm text-muted">Its beginning; the run has all of it.</p>}
      </div>
    </Said>
  );
}

function StoredCalls({ run }: { readonly run: ExecutionSummary }) {
  const missingScope = useMissingScope('audit:read');
  const steps = useInfiniteQuery({
    ...stepsQuery(run.id, isSettled(run)),
    staleTime: Infinity,
    enabled: missingScope === null,
  });
  const calls = steps.data?.pages.flatMap(({ data }) => data) ?? [];
  if (missingScope !== null) {
    return (
      <p className="text-sm text-muted sm:ml-20">Tool calls are not shown: {missingScope.toLowerCase()}</p>
    );
  }
  return (
    <>
      {calls.map((step) => {
        const entry = toolOf(step);
        return (
          <div key={entry.key} className="py-1">
            <Entry entry={entry} isLive={false} />
          </div>
        );
      })}
      {steps.isError && (
        <p className="text-sm text-failed sm:ml-20">
          The tool calls could not be read.{' '}
          <Button className="h-6 px-2" onClick={() => void steps.refetch()}>
            Retry
          </Button>
        </p>
      )}
      {steps.hasNextPage && (
        <Button
          className="my-1 h-6 px-2 sm:ml-20"
          disabled={steps.isFetchingNextPage}
          onClick={() => void steps.fetchNextPage()}
        >
          More tool calls
        </Button>
      )}
    </>
  );
}

function HowItEnded({ run: { error, incomplete_details, status } }: { readonly run: ExecutionSummary }) {
  if (error !== null) {
    return (
      <p className="text-sm wrap-anywhere text-failed sm:ml-20">
        <span className="font-semibold">{error.code}</span> {error.message.slice(0, 2000)}
      </p>
    );
  }
  if (incomplete_details !== null) {
    const reason = incomplete_details.reason.replaceAll('_', ' ');
    return <p className="text-sm text-partial sm:ml-20">Stopped early: {reason}</p>;
  }
  return status === 'cancelled' ? <p className="text-sm text-muted sm:ml-20">Cancelled</p> : null;
}
