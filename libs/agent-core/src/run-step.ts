import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, toStorableJson } from '#libs/kernel';
import { errorResult, type ToolEffect } from '#libs/tooling';
import { argumentsOf } from './call-arguments.js';
import { answeredError } from './error-answer.js';
import { type ExecutionState, scopeOf } from './execution-state.js';
import type { CallTiming, JournalEntry, ToolCallOutcome } from './journal-entry.js';
import { isSkip, placeOfSkip, type StepSkip } from './pipelines/step-skip.js';
import type { ScopeState, ToolCallState } from './scope-state.js';
import { callName, ROOT, type ScopePath } from './scopes/scope-path.js';

export type RunStepStatus = 'started' | 'skipped' | ToolCallOutcome['status'];

/**
 * The audit row of a tool call (S2-31, S2-32), written before the call runs and again with its outcome; or of a skipped
 * step, written once.
 */
export interface RunStep {
  readonly scope: ScopePath;
  readonly round: number;
  readonly position: number;
  readonly callId: string;
  readonly toolName: string;
  /** Null for a call that never began. */
  readonly effect: ToolEffect | null;
  /** Arguments as a JSON object; the raw text if they cannot be parsed. */
  readonly input: JsonValue;
  /** The model's original arguments if they were repaired, truncated like raw text; else null. */
  readonly sentInput: string | null;
  /** A `FunctionCallResult`; null until the call has ended. */
  readonly output: JsonValue;
  readonly status: RunStepStatus;
  /**
   * Start of the call in milliseconds since the epoch; null if it was not measured, then the time of the commit counts.
   */
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /**
   * The error without secrets: for operators, never for the model or a client. A call that took effect may have one
   * too.
   */
  readonly error: string | null;
}

/** The audit rows that these facts require. `state` already includes the facts. */
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
    effect: call.effect ?? null,
    input: auditedInput(call),
    sentInput: call.written?.slice(0, MAX_UNREADABLE) ?? null,
    output: call.outcome === null ? null : auditedOutput(call.outcome),
    status: statusOf(call),
    ...timesOf(call.timing),
    error: errorOf(call),
  };
}

/** A tool that returned an error has failed, though it ran to its end (S4-26). */
function statusOf({ outcome, inquiry }: ToolCallState): RunStepStatus {
  if (outcome === null) return inquiry.kind === 'asked' ? 'outcome_unknown' : 'started';
  return outcome.status === 'succeeded' && answeredError(outcome) ? 'failed' : outcome.status;
}

function toSkippedStep(skip: StepSkip, scope: ScopePath, state: ScopeState): RunStep {
  const { because } = skip.outcome;
  return {
    ...{ scope, ...placeOfSkip(skip, state) },
    ...{ callId: skip.step, toolName: skip.step, effect: null, input: {}, sentInput: null },
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

/** Maximum characters; the journal keeps the model's full text. */
const MAX_UNREADABLE = 4_000;

function auditedInput(call: ToolCallState): JsonValue {
  const parsed = argumentsOf(call);
  return parsed.success ? parsed.data : call.arguments.slice(0, MAX_UNREADABLE);
}

/**
 * The output of a call for the audit (S2-32): a `FunctionCallResult` with the text that the model read. A text that is
 * separate from the tool's result becomes `text` of the result. A JSON text is kept as JSON, unless a number in it
 * would lose digits.
 */
export function auditedOutput(outcome: ToolCallOutcome): JsonValue {
  const { output } = outcome;
  if (outcome.status !== 'succeeded') return toStorableJson(asErrorResult(output));
  const { result } = outcome;
  if (output === JSON.stringify(result)) return result;
  const given: JsonObject = isJsonObject(result) ? result : { status: 'success' };
  const inner = isJsonObject(given['result']) ? given['result'] : {};
  const text = asJson(output);
  if (isSame(inner, text)) return given;
  const entries = Object.entries(inner).map(
    ([key, value]) => [key, value === output ? text : value] as const,
  );
  const isThere = entries.some(([, value]) => isSame(value, text));
  return { ...given, result: Object.fromEntries(isThere ? entries : [...entries, ['text', text] as const]) };
}

function asErrorResult(output: string): unknown {
  const parsed = parseContainer(output);
  const isResult = isJsonObject(parsed) && parsed['status'] === 'error' && isJsonObject(parsed['result']);
  return isResult ? parsed : errorResult(output);
}

/** `describeOutputs` writes this around JSON (3.D-11). */
const WRAPPED = /^tool response: (?<json>[\s\S]*)\.$/;

function asJson(text: string): JsonValue {
  return parseContainer(text) ?? parseContainer(WRAPPED.exec(text)?.groups?.['json'] ?? '') ?? text;
}

/** Parses objects and lists; null for anything else, since the text of a number or word stays a text. */
function parseContainer(text: string): JsonObject | readonly JsonValue[] | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return toStorableJson(JSON.parse(text, exactly)) as JsonObject | readonly JsonValue[];
  } catch {
    return null;
  }
}

/** Decimal digits that every double represents exactly. */
const EXACT_DIGITS = 15;

function exactly(_key: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  if (typeof value === 'number' && source.length > EXACT_DIGITS && String(value) !== source)
    throw new RangeError('the number would lose digits');
  return value;
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b));
}
