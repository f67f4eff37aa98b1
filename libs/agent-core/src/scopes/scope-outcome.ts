import { isJsonObject, type JsonValue } from '#libs/kernel';
import { AGENT_UNUSABLE_TEXT, UNKNOWN_OUTCOME_TEXT, type OpenedScope } from '#libs/tooling';
import { readJsonAnswer, readBareJson } from '../answers/validate-answer.js';
import type { ExecutionOutcome, JournalEntry, ToolCallOutcome } from '../journal-entry.js';
import { leavesUnknown, STOPPED_AGENT } from './settle-leftovers.js';
import type { LoopRules } from '../loop-rules.js';
import { outOfTime } from '../round-endings.js';
import { keptAnswer } from '../kept-answer.js';
import type { ScopeState } from '../scope-state.js';

/** The output schema that the caller requires. */
type AskedAnswer = Pick<OpenedScope, 'outputSchema'>;

/** The tool outcome that a sub-agent's caller reads. */
export function outcomeOfScope(ended: ExecutionOutcome, { outputSchema }: AskedAnswer = {}): ToolCallOutcome {
  switch (ended.status) {
    case 'completed':
      return outputSchema === undefined ? answered(ended.text) : answeredByFields(ended.text);
    case 'incomplete':
      return answered(`${ended.text}\n\n[The agent stopped before it was done: ${ended.reason}]`.trim());
    case 'cancelled':
      return STOPPED_AGENT;
    case 'failed':
      // An unknown outcome inside also ends the caller, which must not continue as if nothing had happened.
      if (ended.error.code === 'TOOL_OUTCOME_UNKNOWN') return UNKNOWN;
      return failed(`the agent failed: ${ended.error.code}`, ended.error.message);
  }
}

/** Outcome of a sub-agent that was stopped before it could be planned; `ending` holds the facts that settled it. */
export function outcomeOfStopped(ended: ExecutionOutcome, ending: readonly JournalEntry[]): ToolCallOutcome {
  return leavesUnknown(ending) ? UNKNOWN : outcomeOfScope(ended);
}

/** Outcome of a sub-agent that is gone, inactive or unusable; `ending` holds the facts that settled it. */
export function outcomeOfUnusable(ending: readonly JournalEntry[]): ToolCallOutcome {
  return leavesUnknown(ending)
    ? UNKNOWN
    : failed(AGENT_UNUSABLE_TEXT, 'VALIDATION_ERROR: the agent is gone, inactive or not usable');
}

const UNKNOWN: ToolCallOutcome = { status: 'outcome_unknown', output: UNKNOWN_OUTCOME_TEXT };

function answered(output: string): ToolCallOutcome {
  return { status: 'succeeded', output, result: { status: 'success', result: { message: output } } };
}

/** With an output schema, its fields are those of the result (S2-19), so that the audit shows them by name. */
function answeredByFields(text: string): ToolCallOutcome {
  const read = readJsonAnswer(text);
  if (!read.success || !isJsonObject(read.data)) return answered(text);
  const result: JsonValue = { status: 'success', result: read.data };
  return { status: 'succeeded', output: text, result };
}

function failed(output: string, error: string): ToolCallOutcome {
  return { status: 'failed', output, error };
}

/**
 * Reduces the outcome of an inner scope to the part that its caller may see; the journal keeps the full answer with its
 * round. JSON that the caller reads stays unchanged.
 */
export function answerForCaller(
  entry: JournalEntry,
  { answer, visibleText }: Pick<LoopRules, 'answer' | 'visibleText'>,
): JournalEntry {
  if (entry.kind !== 'execution_settled' || !('text' in entry.outcome)) return entry;
  const { text } = entry.outcome;
  if (answer !== undefined && readBareJson(text).success) return entry;
  return { ...entry, outcome: { ...entry.outcome, text: visibleText(text) } };
}

/**
 * Outcome of a cancelled or late scope that cannot continue. @param isUnknown whether a call of it may have taken
 * effect
 */
export function stoppedOutcome(
  reason: 'cancelled' | 'deadline',
  scope: ScopeState,
  isUnknown: boolean,
): ExecutionOutcome {
  if (reason === 'cancelled') return { status: 'cancelled' };
  if (isUnknown) return { status: 'failed', error: UNKNOWN_CALLS };
  const ended = outOfTime(scope);
  return 'text' in ended ? { ...ended, ...keptAnswer(ended.text) } : ended;
}

const UNKNOWN_CALLS = {
  code: 'TOOL_OUTCOME_UNKNOWN',
  message: 'it is not known whether tool calls that had begun took effect',
} as const;
