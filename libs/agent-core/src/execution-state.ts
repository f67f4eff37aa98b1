import { assertNever } from '#libs/kernel';
import type {
  CallPosition,
  CallTiming,
  ExecutionOutcome,
  FailureDetails,
  JournalEntry,
  LostSpending,
  ModelAnswer,
  OutcomeReport,
  RequestedCall,
  ToolCallOutcome,
} from './journal-entry.js';

export type Approval =
  | { readonly kind: 'none' }
  | { readonly kind: 'requested' }
  | { readonly kind: 'granted' }
  | { readonly kind: 'denied'; readonly reason: string };

/** The question to a person what became of a call. */
export type Inquiry =
  | { readonly kind: 'none' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'reported'; readonly report: Exclude<OutcomeReport, { kind: 'did_not_happen' }> };

export interface ToolCallState extends RequestedCall, CallPosition {
  readonly started: boolean;
  /** Whether a person has to agree, and what was decided. */
  readonly approval: Approval;
  readonly inquiry: Inquiry;
  /** Why nobody knows what became of it, as far as its worker lived to say: for the audit only. */
  readonly lostBy: string | null;
  readonly timing: CallTiming;
  readonly outcome: ToolCallOutcome | null;
}

export interface RoundState {
  /** From 1. */
  readonly number: number;
  readonly answer: ModelAnswer;
  /** Milliseconds that the model took. */
  readonly latencyMs: number;
  /** Tries that failed before it answered. */
  readonly failedTries: number;
  readonly calls: readonly ToolCallState[];
}

export interface ModelFailure {
  readonly error: FailureDetails;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
}

export interface LostCall extends LostSpending {
  readonly round: number;
  /** Which call of its round, from 1. */
  readonly tryNumber: number;
}

export interface ExecutionState {
  readonly rounds: readonly RoundState[];
  /** Failed tries of the round that has no answer yet. */
  readonly modelFailures: readonly ModelFailure[];
  /** Calls that gave no answer and were paid all the same. */
  readonly lostCalls: readonly LostCall[];
  /** What the model had said when the deadline interrupted it. */
  readonly interruptedText: string;
  readonly isCancelled: boolean;
  /** Its time is up. */
  readonly isLate: boolean;
  readonly outcome: ExecutionOutcome | null;
}

export const EMPTY_STATE: ExecutionState = {
  rounds: [],
  modelFailures: [],
  lostCalls: [],
  interruptedText: '',
  isCancelled: false,
  isLate: false,
  outcome: null,
};

/** The only way state is made: live progress and crash recovery both come through here. */
export function foldEntries(
  entries: readonly JournalEntry[],
  from: ExecutionState = EMPTY_STATE,
): ExecutionState {
  return entries.reduce(applyEntry, from);
}

function applyEntry(state: ExecutionState, entry: JournalEntry): ExecutionState {
  switch (entry.kind) {
    case 'model_call_completed':
      return {
        ...state,
        modelFailures: [],
        rounds: [...state.rounds, openRound(entry, state.modelFailures.length)],
      };
    case 'model_call_failed': {
      const { round, error, retryable, retryAfterMs, spent } = entry;
      const modelFailures = [...state.modelFailures, { error, retryable, retryAfterMs }];
      if (spent === undefined) return { ...state, modelFailures };
      const lost: LostCall = { ...spent, round, tryNumber: modelFailures.length };
      return { ...state, modelFailures, lostCalls: [...state.lostCalls, lost] };
    }
    case 'model_call_interrupted':
      return { ...state, interruptedText: entry.text };
    case 'tool_call_started':
      return updateCall(state, entry, { started: true });
    case 'tool_call_not_begun':
      return updateCall(state, entry, { started: false });
    case 'tool_call_settled':
      return updateCall(state, entry, { outcome: entry.outcome, ...settledTiming(entry) });
    case 'tool_call_lost':
      return updateCall(state, entry, { lostBy: entry.error, timing: timingOf(entry) });
    case 'approval_requested':
      return updateCall(state, entry, { approval: { kind: 'requested' } });
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

function openRound(
  { round: number, answer, latencyMs }: Extract<JournalEntry, { kind: 'model_call_completed' }>,
  failedTries: number,
): RoundState {
  const calls = answer.toolCalls.map((call, position) => ({
    ...call,
    round: number,
    position,
    started: false,
    approval: { kind: 'none' } as const,
    inquiry: { kind: 'none' } as const,
    lostBy: null,
    timing: {},
    outcome: null,
  }));
  return { number, answer, latencyMs, failedTries, calls };
}

/** While a person is asked, time does not run; afterwards there is a new deadline. */
function withNewTime(state: ExecutionState): ExecutionState {
  return { ...state, isLate: false };
}

function timingOf({ startedAt, durationMs }: CallTiming): CallTiming {
  return { ...(startedAt !== undefined && { startedAt }), ...(durationMs !== undefined && { durationMs }) };
}

/** What is settled without having run keeps what was measured of it before, if anything was. */
function settledTiming(entry: CallTiming): Pick<Partial<ToolCallState>, 'timing'> {
  return entry.startedAt === undefined ? {} : { timing: timingOf(entry) };
}

/** A call that did not happen is as if it had never begun. */
function afterReport(
  report: OutcomeReport,
): Pick<Partial<ToolCallState>, 'started' | 'lostBy' | 'timing'> & Pick<ToolCallState, 'inquiry'> {
  if (report.kind === 'did_not_happen')
    return { started: false, lostBy: null, timing: {}, inquiry: { kind: 'none' } };
  return { inquiry: { kind: 'reported', report } };
}

function updateCall(state: ExecutionState, at: CallPosition, patch: Partial<ToolCallState>): ExecutionState {
  const rounds = [...state.rounds];
  const round = rounds[at.round - 1];
  const call = round?.calls[at.position];
  if (!round || !call)
    throw new Error(`the journal names a tool call that nobody asked for: ${at.round}.${at.position}`);
  rounds[at.round - 1] = { ...round, calls: round.calls.with(at.position, { ...call, ...patch }) };
  return { ...state, rounds };
}
