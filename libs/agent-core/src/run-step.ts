import type { JsonValue } from '#libs/kernel';
import { argumentsOf } from './call-arguments.js';
import { auditedOutput } from './audited-output.js';
import { answeredError } from './error-answer.js';
import { scopeOf, type ExecutionState } from './execution-state.js';
import { isSkip, placeOfSkip, type StepSkip } from './pipelines/step-skip.js';
import type { ScopeState, ToolCallState } from './scope-state.js';
import type { CallTiming, JournalEntry, ToolCallOutcome } from './journal-entry.js';
import { callName, ROOT, type ScopePath } from './scopes/scope-path.js';

export type RunStepStatus = 'started' | 'skipped' | ToolCallOutcome['status'];

/**
 * The audit row of one tool call (S2-31, S2-32): written before it runs and again with its outcome; or of a step that was
 * skipped, written once.
 */
export interface RunStep {
  readonly scope: ScopePath;
  readonly round: number;
  readonly position: number;
  readonly callId: string;
  readonly toolName: string;
  /** The arguments, parsed where they are a JSON object, else the raw text. */
  readonly input: JsonValue;
  /** The arguments as the model wrote them, where they were repaired, cut as raw text is; null elsewhere. */
  readonly sentInput: string | null;
  /** A `FunctionCallResult`; null while the call runs. */
  readonly output: JsonValue;
  readonly status: RunStepStatus;
  /**
   * When the call ran, in milliseconds since the epoch; null where that was not measured: then it is the time of the
   * commit.
   */
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** What went wrong, redacted: for operators, never for the model or a client. Also of a call that took effect. */
  readonly error: string | null;
}

/** Which audit rows these facts ask for. `state` is the fold that already includes them. */
export function projectRunSteps(entries: readonly JournalEntry[], state: ExecutionState): RunStep[] {
  const touched = new Map<string, RunStep>();
  for (const entry of entries) {
    const scope = entry.scope ?? ROOT;
    if (isSkip(entry)) {
      const step = toSkippedStep(entry, scope, scopeOf(state, scope));
      touched.set(callName(scope, step), step);
    }
    if (!isAudited(entry)) continue;
    const call = scopeOf(state, scope).rounds[entry.round - 1]?.calls[entry.position];
    if (call) touched.set(callName(scope, entry), toRunStep(scope, call));
  }
  return [...touched.values()];
}

type AuditedEntry = Extract<
  JournalEntry,
  { kind: 'tool_call_started' | 'tool_call_lost' | 'tool_call_settled' | 'outcome_asked' }
>;

const AUDITED_KINDS: ReadonlySet<JournalEntry['kind']> = new Set<AuditedEntry['kind']>([
  'tool_call_started',
  'tool_call_lost',
  'tool_call_settled',
  'outcome_asked',
]);

function isAudited(entry: JournalEntry): entry is AuditedEntry {
  return AUDITED_KINDS.has(entry.kind);
}

function toRunStep(scope: ScopePath, call: ToolCallState): RunStep {
  return {
    scope,
    round: call.round,
    position: call.position,
    callId: call.callId,
    toolName: call.toolName,
    input: auditedInput(call),
    sentInput: call.written?.slice(0, LONGEST_UNREADABLE) ?? null,
    output: call.outcome === null ? null : auditedOutput(call.outcome),
    status: statusOf(call),
    ...timesOf(call.timing),
    error: errorOf(call),
  };
}

/** A tool that answered an error has failed, though it ran to its end (S4-26). */
function statusOf({ outcome, inquiry }: ToolCallState): RunStepStatus {
  if (outcome === null) return inquiry.kind === 'asked' ? 'outcome_unknown' : 'started';
  return outcome.status === 'succeeded' && answeredError(outcome) ? 'failed' : outcome.status;
}

function toSkippedStep(skip: StepSkip, scope: ScopePath, state: ScopeState): RunStep {
  const { because } = skip.outcome;
  return {
    ...{ scope, ...placeOfSkip(skip, state) },
    ...{ callId: skip.step, toolName: skip.step, input: {}, sentInput: null },
    output: because === undefined ? null : { because },
    ...{ status: 'skipped', startedAt: null, finishedAt: null, error: null },
  };
}

function timesOf({ startedAt, durationMs = 0 }: CallTiming): Pick<RunStep, 'startedAt' | 'finishedAt'> {
  if (startedAt === undefined) return { startedAt: null, finishedAt: null };
  return { startedAt, finishedAt: startedAt + durationMs };
}

function errorOf({ outcome, lostBy }: ToolCallState): string | null {
  if (outcome?.status === 'failed') return outcome.error;
  if (outcome?.status === 'succeeded') return outcome.fault ?? null;
  return lostBy;
}

/** Characters; the journal keeps all of what a model wrote. */
const LONGEST_UNREADABLE = 4_000;

function auditedInput(call: ToolCallState): JsonValue {
  const parsed = argumentsOf(call);
  return parsed.success ? parsed.data : call.arguments.slice(0, LONGEST_UNREADABLE);
}
