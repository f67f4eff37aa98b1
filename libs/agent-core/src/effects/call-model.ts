import { MAX_CALLS_PER_EXECUTION } from '../call-limits.js';
import type { NextAction } from '../decide-next-action.js';
import type { ExecutionContext } from '../execution-context.js';
import type { ModelFailure, ScopeState } from '../scope-state.js';
import { nextTry } from '../apply-entry.js';
import type { CallCost, JournalEntry, ModelCallTrace } from '../journal-entry.js';
import { isHistoryRefused, refusesHistory } from '../history/refused-history.js';
import type { LoopRules } from '../loop-rules.js';
import type { TokenUsage } from '#libs/payloads';
import { ModelCallError } from '../ports/model-call-error.js';
import { ModelHostUnavailableError } from '../ports/model-host-unavailable-error.js';
import type { ModelDelta } from '../ports/model.js';
import { buildModelRequest } from '../prompt.js';
import { retryDelay } from '../retry-delay.js';
import type { Wait } from '../ports/wait-notice.js';
import { mayStillWrite } from '../stop-reason.js';
import type { LoopPorts } from './loop-ports.js';
import { readCalls } from './read-calls.js';

const REFUSES_HISTORY = { refusesHistory: true } as const;

type CallModel = Extract<NextAction, { kind: 'call_model' }>;

/** The cost to record with a call; empty if the execution's own prices apply. */
export type CostOf = (tokens: TokenUsage | null) => { readonly cost?: CallCost | null };

/** One try of a model call. Returns the resulting facts; text is streamed to subscribers as it arrives. */
export async function callModel(
  action: CallModel,
  state: ScopeState,
  context: ExecutionContext,
  ports: LoopPorts,
  signal: AbortSignal,
  { forward }: Pick<LoopRules, 'forward'>,
  costOf: CostOf = () => ({}),
): Promise<readonly JournalEntry[]> {
  const { round, failure } = action;
  // A refused conversation is not a failed try: it is resent at once, shortened.
  if (failure !== null && action.failedTries > 0)
    await waitBeforeRetry(action.failedTries, failure, context.model, ports, signal);
  const isOver = (): boolean => signal.aborted;
  if (isOver()) return [];
  let streamedText = '';
  let isPartial = false;
  const begunAt = ports.clock.monotonic();
  const elapsedMs = (): number => Math.max(0, Math.round(ports.clock.monotonic() - begunAt));
  const begun = { startedAt: Math.round(ports.clock.now()), tryNumber: nextTry(state, round) };
  let firstByte: Pick<ModelCallTrace, 'firstByteMs'> = {};
  const endOfWait = ports.waits.begin(firstByteOf(context.model), FIRST_BYTE_SHOWN_MS);
  const onDelta = (delta: ModelDelta): void => {
    if (!isPartial) {
      endOfWait('answered');
      firstByte = { firstByteMs: elapsedMs() };
    }
    isPartial = true;
    if (delta.kind === 'text') streamedText += delta.content;
    ports.reporter.delta(round, delta);
  };
  const traced = () => ({ durationMs: elapsedMs(), ...begun, ...firstByte });
  ports.reporter.modelCallBegins(round);
  try {
    const isFollowed = ports.events.isFollowed();
    const limits = { remainingMs: ports.remainingMs(), isLastTry: action.isLastTry, isFollowed };
    const answer = await ports.model.call(buildModelRequest(context, state), onDelta, signal, limits);
    endOfWait('answered');
    if (answer.toolCalls.length > MAX_CALLS_PER_EXECUTION) throw tooManyCalls(answer.toolCalls.length);
    const latencyMs = elapsedMs();
    const toolCalls = await readCalls(answer.toolCalls, forward, ports);
    return [
      {
        kind: 'model_call_completed',
        round,
        answer: { ...answer, toolCalls },
        latencyMs,
        ...begun,
        ...firstByte,
        ...costOf(answer.usage),
      },
    ];
  } catch (error) {
    // While the model host is unavailable, the wait continues in the queue, unless a fallback is asked.
    const isLeft = action.fallbacks !== undefined;
    if (!(error instanceof ModelHostUnavailableError) || isLeft) endOfWait('over');
    // Without the lease, this attempt cannot record that it abandoned the call, so the next attempt would not learn of
    // it.
    if (signal.aborted) {
      const text = mayStillWrite(signal) ? streamedText : '';
      return [{ kind: 'model_call_interrupted', round, text, model: context.model, ...traced() }];
    }
    if (!(error instanceof ModelCallError)) throw error;
    ports.reporter.modelCallFails(round, isPartial);
    const { code, message, retryable, retryAfterMs, reason, spent } = error;
    const failed = {
      kind: 'model_call_failed',
      round,
      error: { code, message },
      reason,
      retryable,
      retryAfterMs,
      ...(!isHistoryRefused(state) && refusesHistory(error, state, context) && REFUSES_HISTORY),
      model: context.model,
      ...traced(),
    } as const;
    if (spent === null) return [failed];
    const model = spent.model ?? context.model;
    return [{ ...failed, spent: { ...spent, model, ...costOf(spent.usage) } }];
  }
}

/** The error for an answer with more tool calls than could be refused one by one. */
function tooManyCalls(count: number): ModelCallError {
  const message = `the model asked for ${count} tool calls at once, more than ${MAX_CALLS_PER_EXECUTION}`;
  return new ModelCallError({ reason: 'too_many_tool_calls', message, retryable: false });
}

async function waitBeforeRetry(
  failedTries: number,
  failure: ModelFailure,
  model: string,
  ports: LoopPorts,
  signal: AbortSignal,
): Promise<void> {
  const delayMs = retryDelay(failedTries, failure.retryAfterMs, ports.random());
  const endOfWait = ports.waits.begin({
    kind: isRateLimit(failure) ? 'rate_limit' : 'provider_backoff',
    name: model,
    message: failure.error.message,
    nextTryMs: delayMs,
  });
  await ports.wait(delayMs, signal);
  endOfWait('over');
}

/** Milliseconds until a model that has not begun to answer is shown as a wait. */
const FIRST_BYTE_SHOWN_MS = 5_000;

function firstByteOf(model: string): Wait {
  return {
    kind: 'model_first_byte',
    name: model,
    message: 'the model has not begun to answer',
    nextTryMs: null,
  };
}

function isRateLimit({ reason, error }: ModelFailure): boolean {
  return reason === 'rate_limited' || error.code === 'RATE_LIMITED';
}
