import { assertNever } from '#libs/kernel';
import type { TokenUsage } from '#libs/payloads';
import type {
  CallCost,
  CallPosition,
  CallTiming,
  ExecutionOutcome,
  FailureDetails,
  JournalEntry,
  ModelAnswer,
  OutcomeReport,
  Preparation,
  RequestedCall,
  ScopeOpening,
  ToolCallOutcome,
} from './journal-entry.js';
import { callName, lineOf, ROOT, type ScopePath } from './scopes/scope-path.js';

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
  /** Which call of its round gave the answer, from 1. */
  readonly tryNumber: number;
  /** As it was recorded; absent where the prices of the execution say it. */
  readonly cost?: CallCost | null;
  readonly calls: readonly ToolCallState[];
}

export interface ModelFailure {
  readonly error: FailureDetails;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
}

/** A model call that gave no answer, and may have been paid all the same. */
export interface UnansweredCall {
  readonly round: number;
  /** Which call of its round, from 1. */
  readonly tryNumber: number;
  /** `unknown`: it was given up, or its worker was lost, before anybody could say what it has cost. */
  readonly state: 'failed' | 'unknown';
  /** Null in what older releases wrote. */
  readonly model: string | null;
  readonly responseId: string | null;
  /** Null where the provider reported none. */
  readonly usage: TokenUsage | null;
  /** As of a round. */
  readonly cost?: CallCost | null;
}

/** One loop of an execution: the root's, or that of a sub-agent. */
export interface ScopeState {
  readonly rounds: readonly RoundState[];
  /** Failed tries of the round that has no answer yet. */
  readonly modelFailures: readonly ModelFailure[];
  readonly unansweredCalls: readonly UnansweredCall[];
  /** What the model had said when the deadline interrupted it. */
  readonly interruptedText: string;
  readonly isCancelled: boolean;
  /** Its time is up. */
  readonly isLate: boolean;
  /** By whom and with what it was called; null at the root. */
  readonly opening: ScopeOpening | null;
  /** What it runs with; null until its model was first asked. */
  readonly preparation: Preparation | null;
  readonly outcome: ExecutionOutcome | null;
}

/** The state of the root, and beside it that of every scope inside, in the order in which they were opened. */
export interface ExecutionState extends ScopeState {
  readonly children: ReadonlyMap<ScopePath, ScopeState>;
}

const EMPTY_SCOPE: ScopeState = {
  rounds: [],
  modelFailures: [],
  unansweredCalls: [],
  interruptedText: '',
  isCancelled: false,
  isLate: false,
  opening: null,
  preparation: null,
  outcome: null,
};

export const EMPTY_STATE: ExecutionState = { ...EMPTY_SCOPE, children: new Map() };

/** The state of one scope. That the execution is cancelled holds in all of them; that a scope is late, in all inside it. */
export function scopeOf(state: ExecutionState, path: ScopePath): ScopeState {
  if (path === ROOT) return state;
  const isLate = lineOf(path).some((scope) => ownStateOf(state, scope).isLate);
  return { ...ownStateOf(state, path), isCancelled: state.isCancelled, isLate };
}

/** The same by its own facts alone. */
export function ownStateOf(state: ExecutionState, path: ScopePath): ScopeState {
  return path === ROOT ? state : (state.children.get(path) ?? EMPTY_SCOPE);
}

/** Every scope with its path, the root first. */
export function scopesOf(state: ExecutionState): (readonly [ScopePath, ScopeState])[] {
  return [[ROOT, state], ...state.children];
}

/** The only way state is made: live progress and crash recovery both come through here. */
export function foldEntries(
  entries: readonly JournalEntry[],
  from: ExecutionState = EMPTY_STATE,
): ExecutionState {
  return entries.reduce(applyEntry, from);
}

function applyEntry(state: ExecutionState, entry: JournalEntry): ExecutionState {
  const path = entry.scope ?? ROOT;
  if (path === ROOT) {
    const applied = applyToScope(state, entry);
    return isDecision(entry) ? withNewTimeEverywhere(applied) : applied;
  }
  const scope = applyToScope(state.children.get(path) ?? EMPTY_SCOPE, entry);
  const children = new Map(state.children).set(path, scope);
  return isDecision(entry) ? withNewTimeEverywhere({ ...state, children }) : { ...state, children };
}

function applyToScope<State extends ScopeState>(state: State, entry: JournalEntry): State {
  switch (entry.kind) {
    case 'execution_prepared': {
      const { kind: _kind, scope: _scope, ...preparation } = entry;
      return { ...state, preparation };
    }
    case 'scope_opened':
      return { ...state, opening: { agentId: entry.agentId, name: entry.name, input: entry.input } };
    case 'scope_settled':
      return { ...state, outcome: entry.outcome };
    case 'model_call_completed':
      return {
        ...state,
        modelFailures: [],
        rounds: [...state.rounds, openRound(entry, nextTry(state, entry.round))],
      };
    case 'model_call_failed': {
      const { error, retryable, retryAfterMs } = entry;
      const modelFailures = [...state.modelFailures, { error, retryable, retryAfterMs }];
      return { ...withUnanswered(state, entry), modelFailures };
    }
    case 'model_call_interrupted':
      return { ...withUnanswered(state, entry), interruptedText: entry.text };
    case 'model_call_lost':
      return withUnanswered(state, entry);
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
    ...(spent?.cost !== undefined && { cost: spent.cost }),
  };
  return { ...state, unansweredCalls: [...state.unansweredCalls, call] };
}

function nextTry(state: ScopeState, round: number): number {
  return state.unansweredCalls.filter((call) => call.round === round).length + 1;
}

function openRound(
  { round: number, answer, latencyMs, cost }: Extract<JournalEntry, { kind: 'model_call_completed' }>,
  tryNumber: number,
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
  return { number, answer, latencyMs, tryNumber, calls, ...(cost !== undefined && { cost }) };
}

/** While a person is asked, time does not run; afterwards there is a new deadline. */
function withNewTime<State extends ScopeState>(state: State): State {
  return { ...state, isLate: false };
}

function withNewTimeEverywhere(state: ExecutionState): ExecutionState {
  const children = [...state.children].map(([path, scope]) => [path, withNewTime(scope)] as const);
  return { ...withNewTime(state), children: new Map(children) };
}

function isDecision({ kind }: JournalEntry): boolean {
  return kind === 'approval_decided' || kind === 'outcome_reported';
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

function updateCall<State extends ScopeState>(
  state: State,
  at: CallPosition & { readonly scope?: ScopePath },
  patch: Partial<ToolCallState>,
): State {
  const rounds = [...state.rounds];
  const round = rounds[at.round - 1];
  const call = round?.calls[at.position];
  if (!round || !call)
    throw new Error(`the journal names a tool call that nobody asked for: ${callName(at.scope ?? ROOT, at)}`);
  rounds[at.round - 1] = { ...round, calls: round.calls.with(at.position, { ...call, ...patch }) };
  return { ...state, rounds };
}
