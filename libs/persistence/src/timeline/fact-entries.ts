import { callingScope, callName, ROOT } from '#libs/agent-core';
import { addDecimals } from '#libs/kernel';
import type { ExecutionStatus } from '#libs/payloads';
import type { ToolEffect } from '#libs/tooling';
import type { DecisionRow, TimelineFact } from './timeline-facts.js';
import type {
  ApprovalEntry,
  ModelCallEntry,
  ModelSwitchEntry,
  TimelineEntry,
  ToolCallEntry,
} from './timeline-entry.js';

/** Audit row of a call that was begun or refused. */
export interface StepRow {
  readonly scope: string;
  readonly round: number;
  readonly position: number;
  readonly status: Exclude<ToolCallEntry['status'], 'requested'>;
  readonly effect: ToolEffect | null;
  readonly attempt: number;
  readonly started_at: Date;
  readonly finished_at: Date | null;
}

/** Tokens and cost of a call of a model. Numbers beyond 2^31 are text in PostgreSQL. */
export interface SpentRow {
  readonly scope: string;
  readonly purpose: string;
  readonly round: number;
  readonly try_number: number;
  readonly state: 'known' | 'failed' | 'unknown';
  readonly model: string;
  readonly response_id: string | null;
  readonly input_tokens: string | null;
  readonly cached_input_tokens: string | null;
  readonly output_tokens: string | null;
  readonly cost_usd: string | null;
  readonly executed_at: Date;
}

/** Rows that complete the facts of a page. */
export interface FactDetails {
  readonly steps: ReadonlyMap<string, StepRow>;
  readonly spent: readonly SpentRow[];
  readonly status: ExecutionStatus;
  readonly approvalExpiresAt: Date | null;
}

/** The entries that begin with this fact: a call of a model, then the calls that it asks for; or a question to a person. */
export function entriesOfFact(fact: TimelineFact, details: FactDetails): TimelineEntry[] {
  if (fact.kind === 'approval_requested' || fact.kind === 'outcome_asked') return [toApproval(fact, details)];
  if (fact.kind === 'model_switched') return [toModelSwitch(fact)];
  if (fact.kind === 'step_begun') return toToolCalls(fact, callerOf(fact.scope), details);
  const call = toModelCall(fact, details.spent);
  return [call, ...toToolCalls(fact, call.id, details)];
}

/** Calls beside the loop, such as for the title of the session. */
export function toCallBesideLoop(row: SpentRow): ModelCallEntry {
  const at = row.executed_at.toISOString();
  return {
    ...{ id: `model_call-${row.purpose}-${row.round}-${row.try_number}`, kind: 'model_call' },
    ...{ scope: ROOT, parent_id: null },
    status: row.state === 'known' ? 'succeeded' : row.state,
    ...{ started_at: at, finished_at: row.state === 'unknown' ? null : at },
    ...{ purpose: row.purpose, round: null, try_number: row.try_number, model: row.model },
    ...tokensOf(row),
    ...{ cost_usd: row.cost_usd, first_byte_ms: null, error_code: null },
  };
}

const MODEL_CALL_STATUS = {
  model_call_completed: 'succeeded',
  model_call_failed: 'failed',
  model_call_interrupted: 'interrupted',
  model_call_lost: 'lost',
} as const;

function toModelCall(fact: TimelineFact, spent: readonly SpentRow[]): ModelCallEntry {
  const kind = fact.kind as keyof typeof MODEL_CALL_STATUS;
  const row = spent.find((one) => isSpentOn(one, fact));
  const { usage } = fact;
  return {
    ...{ id: `model_call-${fact.sequence}`, kind: 'model_call', scope: fact.scope },
    ...{ parent_id: callerOf(fact.scope), status: MODEL_CALL_STATUS[kind] },
    ...timesOf(fact),
    ...{ purpose: 'round', round: fact.round, try_number: fact.try_number ?? row?.try_number ?? null },
    model: fact.model ?? row?.model ?? null,
    ...(usage === null ? tokensOf(row) : pickTokens(usage)),
    cost_usd: row?.cost_usd ?? (fact.cost && addDecimals(fact.cost.prompt, fact.cost.completion)),
    ...{ first_byte_ms: fact.first_byte_ms, error_code: fact.error_code },
  };
}

/** Facts of older releases do not say which try they are of: those that were answered are known by the answer's id. */
function isSpentOn(row: SpentRow, { scope, round, try_number, response_id }: TimelineFact): boolean {
  if (row.purpose !== 'round' || row.scope !== scope || row.round !== round) return false;
  if (try_number !== null) return row.try_number === try_number;
  return response_id !== null && row.response_id === response_id;
}

function pickTokens(usage: NonNullable<TimelineFact['usage']>) {
  const { input_tokens, cached_input_tokens, output_tokens } = usage;
  return { input_tokens, cached_input_tokens, output_tokens };
}

function tokensOf(row: SpentRow | undefined) {
  const toNumber = (text: string | null | undefined): number | null =>
    text === null || text === undefined ? null : Number(text);
  return {
    input_tokens: toNumber(row?.input_tokens),
    cached_input_tokens: toNumber(row?.cached_input_tokens),
    output_tokens: toNumber(row?.output_tokens),
  };
}

/** A fact of an older release has no beginning of its own: it is as far before its commit as the call took. */
function timesOf({ kind, started_ms, duration_ms, created_at }: TimelineFact) {
  if (kind === 'model_call_lost') return { started_at: null, finished_at: null };
  const finished = started_ms === null ? created_at.getTime() : started_ms + (duration_ms ?? 0);
  const started = started_ms ?? finished - (duration_ms ?? 0);
  return { started_at: new Date(started).toISOString(), finished_at: new Date(finished).toISOString() };
}

function toModelSwitch(fact: TimelineFact): ModelSwitchEntry {
  const { sequence, scope, round, model, switch_reason, started_ms, created_at } = fact;
  const at = new Date(started_ms ?? created_at).toISOString();
  return {
    ...{ id: `model_switch-${sequence}`, kind: 'model_switch', scope, parent_id: callerOf(scope) },
    ...{ status: model === null ? 'none_left' : 'switched', started_at: at, finished_at: at },
    ...{ round, model, reason: switch_reason ?? 'unavailable' },
  };
}

function toToolCalls(fact: TimelineFact, parent_id: string | null, { steps }: FactDetails): ToolCallEntry[] {
  const { scope, round, step } = fact;
  return fact.calls.map(({ call_id, tool_name }, position) => {
    const call = callName(scope, { round, position });
    const row = steps.get(call);
    return {
      ...{ id: toolCallId(call), kind: 'tool_call', scope, parent_id, status: row?.status ?? 'requested' },
      started_at: row?.started_at.toISOString() ?? null,
      finished_at: row?.finished_at?.toISOString() ?? null,
      ...{ call, call_id, tool_name, round, position },
      ...{ effect: row?.effect ?? null, attempt: row?.attempt ?? null, step },
    };
  });
}

function toApproval(fact: TimelineFact, { status, approvalExpiresAt }: FactDetails): ApprovalEntry {
  const call = callName(fact.scope, { round: fact.round, position: fact.position ?? 0 });
  const { decision } = fact;
  const isPending = decision === null && status === 'requires_action';
  const undecided = isPending ? 'pending' : 'withdrawn';
  return {
    ...{ id: `approval-${fact.sequence}`, kind: 'approval', scope: fact.scope, parent_id: toolCallId(call) },
    status: decision === null ? undecided : 'decided',
    started_at: fact.created_at.toISOString(),
    finished_at: decision && new Date(decision.decided_ms).toISOString(),
    ...{ call, asks: fact.kind === 'outcome_asked' ? 'outcome' : 'approval' },
    decision: decision && wordOf(decision),
    decided_by: decision?.by ? { key_id: decision.by.keyId, person: decision.by.person } : null,
    expires_at: isPending ? (approvalExpiresAt?.toISOString() ?? null) : null,
  };
}

function wordOf({ approved, outcome }: DecisionRow): ApprovalEntry['decision'] {
  return outcome ?? (approved === true ? 'approved' : 'refused');
}

const toolCallId = (call: string): string => `tool_call-${call}`;

/** The call that the loop runs inside of. */
function callerOf(scope: string): string | null {
  const caller = callingScope(scope);
  return caller && toolCallId(callName(caller.scope, caller));
}
