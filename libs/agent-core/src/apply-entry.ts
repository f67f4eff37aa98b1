import { assertNever } from '#libs/kernel';
import type {
  CallPosition,
  CallTiming,
  JournalEntry,
  ModelAnswer,
  OutcomeReport,
  RequestedCall,
} from './journal-entry.js';
import type { RoundState, ScopeState, ToolCallState, UnansweredCall } from './scope-state.js';
import { callName, ROOT, type ScopePath } from './scopes/scope-path.js';

/** Folds one fact into the state of the scope that it belongs to. */
export function applyToScope<State extends ScopeState>(state: State, entry: JournalEntry): State {
  switch (entry.kind) {
    case 'execution_prepared': {
      const { kind: _kind, scope: _scope, ...preparation } = entry;
      return { ...state, preparation };
    }
    case 'scope_opened':
      return {
        ...state,
        opening: { agentId: entry.agentId, name: entry.name, input: entry.input },
        timeFrom: entry.remainingMs ?? null,
      };
    case 'scope_settled':
      return { ...state, outcome: entry.outcome };
    case 'model_call_completed':
      return {
        ...state,
        modelFailures: [],
        rounds: [...state.rounds, openRound(entry, nextTry(state, entry.round))],
      };
    case 'model_call_failed': {
      const { error, reason, retryable, retryAfterMs, refusesHistory } = entry;
      const failure = {
        ...{ error, retryable, retryAfterMs },
        ...(reason !== undefined && { reason }),
        ...(refusesHistory && { refusesHistory }),
      };
      const modelFailures = [...state.modelFailures, failure];
      return { ...withUnanswered(state, entry), modelFailures };
    }
    case 'model_call_interrupted':
      return { ...withUnanswered(state, entry), interruptedText: entry.text };
    case 'model_call_lost':
      return withUnanswered(state, entry);
    case 'model_switched': {
      const { to, unusable, round: fromRound } = entry;
      const passedOver = [...state.passedOver, ...unusable, ...(to === null ? [] : [to.llmId])];
      if (to === null) return { ...state, passedOver };
      return { ...state, passedOver, modelFailures: [], fallback: { ...to, fromRound } };
    }
    case 'answer_rejected': {
      const rounds = state.rounds.map((round) =>
        round.number === entry.round ? { ...round, rejected: entry.faults } : round,
      );
      return { ...state, rounds };
    }
    case 'step_begun':
      return { ...state, rounds: [...state.rounds, openStep(entry)] };
    case 'step_settled':
      return { ...state, steps: [...state.steps, { name: entry.step, outcome: entry.outcome }] };
    case 'tool_call_started':
      return updateCall(state, entry, {
        ...{ started: true, outcomeMayLag: entry.repeatable === true },
        ...(entry.effect !== undefined && { effect: entry.effect }),
      });
    case 'tool_call_not_begun':
      return updateCall(state, entry, { started: false, outcomeMayLag: false });
    case 'tool_call_settled':
      return updateCall(state, entry, { outcome: entry.outcome, ...settledTiming(entry) });
    case 'tool_call_lost':
      return updateCall(state, entry, { lostBy: entry.error, timing: timingOf(entry) });
    case 'approval_requested':
      return updateCall(state, entry, {
        approval: { kind: 'requested', ...(entry.because !== undefined && { because: entry.because }) },
      });
    case 'approval_decided': {
      const { approved, reason } = entry;
      return updateCall(withNewTime(state), entry, {
        approval: approved ? { kind: 'granted' } : { kind: 'denied', reason },
      });
    }
    case 'outcome_asked':
      return updateCall(state, entry, { inquiry: { kind: 'asked' } });
    case 'outcome_reported':
      return updateCall(withNewTime(state), entry, afterReport(entry.report));
    case 'cancellation_requested':
      return { ...state, isCancelled: true };
    case 'deadline_reached':
      return { ...state, isLate: true };
    case 'execution_settled':
      return { ...state, outcome: entry.outcome };
    default:
      return assertNever(entry);
  }
}

function withUnanswered<State extends ScopeState>(
  state: State,
  entry: Extract<JournalEntry, { kind: 'model_call_failed' | 'model_call_interrupted' | 'model_call_lost' }>,
): State {
  const spent = entry.kind === 'model_call_failed' ? entry.spent : undefined;
  const call: UnansweredCall = {
    round: entry.round,
    tryNumber: nextTry(state, entry.round),
    state: entry.kind === 'model_call_failed' ? 'failed' : 'unknown',
    model: spent?.model ?? entry.model ?? null,
    responseId: spent?.responseId ?? null,
    usage: spent?.usage ?? null,
    ...(entry.kind === 'model_call_failed' && entry.refusesHistory && { refusal: entry.error.message }),
    ...(spent?.cost !== undefined && { cost: spent.cost }),
  };
  return { ...state, unansweredCalls: [...state.unansweredCalls, call] };
}

/** The number of the next try of a model call of the round, from 1. */
export function nextTry(state: ScopeState, round: number): number {
  return state.unansweredCalls.filter((call) => call.round === round).length + 1;
}

function openRound(
  { round: number, answer, latencyMs, cost }: Extract<JournalEntry, { kind: 'model_call_completed' }>,
  tryNumber: number,
): RoundState {
  const calls = openCalls(answer.toolCalls, number);
  return { number, answer, latencyMs, tryNumber, calls, ...(cost !== undefined && { cost }) };
}

/** A pipeline step has no model answer: its round holds an empty one, which costs nothing. */
function openStep({
  round: number,
  step: name,
  attempt,
  calls,
}: Extract<JournalEntry, { kind: 'step_begun' }>): RoundState {
  const step = { name, attempt };
  return { number, step, answer: NO_ANSWER, latencyMs: 0, tryNumber: 1, calls: openCalls(calls, number) };
}

const NO_ANSWER: ModelAnswer = {
  responseId: null,
  model: '',
  text: '',
  thinking: '',
  toolCalls: [],
  usage: null,
  incompleteReason: null,
  providerItems: [],
};

function openCalls(requested: readonly RequestedCall[], round: number): ToolCallState[] {
  return requested.map((call, position) => ({
    ...call,
    requested: call,
    round,
    position,
    started: false,
    outcomeMayLag: false,
    approval: { kind: 'none' },
    inquiry: { kind: 'none' },
    lostBy: null,
    timing: {},
    outcome: null,
  }));
}

/** The clock stands still while a person is asked; the decision starts a new deadline. */
export function withNewTime<State extends ScopeState>(state: State): State {
  return { ...state, isLate: false, timeFrom: 'anew' };
}

function timingOf({ startedAt, durationMs }: CallTiming): CallTiming {
  return { ...(startedAt !== undefined && { startedAt }), ...(durationMs !== undefined && { durationMs }) };
}

/** A call that is settled without running keeps the timing that an earlier run recorded. */
function settledTiming(entry: CallTiming): Pick<Partial<ToolCallState>, 'timing'> {
  return entry.startedAt === undefined ? {} : { timing: timingOf(entry) };
}

/** A call that a person reports as not happened returns to the state before its start. */
function afterReport(
  report: OutcomeReport,
): Pick<Partial<ToolCallState>, 'started' | 'lostBy' | 'timing'> & Pick<ToolCallState, 'inquiry'> {
  if (report.kind === 'did_not_happen')
    return { started: false, lostBy: null, timing: {}, inquiry: { kind: 'none' } };
  return { inquiry: { kind: 'reported', report } };
}

function updateCall<State extends ScopeState>(
  state: State,
  at: CallPosition & { readonly scope?: ScopePath },
  patch: Partial<ToolCallState>,
): State {
  const rounds = [...state.rounds];
  const round = rounds[at.round - 1];
  const call = round?.calls[at.position];
  if (!round || !call)
    throw new Error(
      `the journal names a tool call that no model answer requested: ${callName(at.scope ?? ROOT, at)}`,
    );
  rounds[at.round - 1] = { ...round, calls: round.calls.with(at.position, { ...call, ...patch }) };
  return { ...state, rounds };
}
