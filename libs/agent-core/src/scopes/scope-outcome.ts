import { isJsonObject, type JsonValue } from '#libs/kernel';
import { AGENT_UNUSABLE_TEXT, UNKNOWN_OUTCOME_TEXT, type OpenedScope } from '#libs/tooling';
import { readJsonAnswer } from '../answers/read-json-answer.js';
import type { ExecutionOutcome, JournalEntry, ToolCallOutcome } from '../journal-entry.js';
import { leavesUnknown, STOPPED_AGENT } from './settle-leftovers.js';

/** What its caller asked of an answer. */
type AskedAnswer = Pick<OpenedScope, 'outputSchema'>;

/** What the caller of an agent reads of how its loop has ended. */
export function outcomeOfScope(ended: ExecutionOutcome, { outputSchema }: AskedAnswer = {}): ToolCallOutcome {
  switch (ended.status) {
    case 'completed':
      return outputSchema === undefined ? answered(ended.text) : answeredByFields(ended.text);
    case 'incomplete':
      return answered(`${ended.text}\n\n[The agent stopped before it was done: ${ended.reason}]`.trim());
    case 'cancelled':
      return STOPPED_AGENT;
    case 'failed':
      // Nobody may go on as if nothing had happened: its caller ends by it too.
      if (ended.error.code === 'TOOL_OUTCOME_UNKNOWN') return UNKNOWN;
      return failed(`the agent failed: ${ended.error.code}`, ended.error.message);
  }
}

/** Of an agent that nobody can go on with in its time; `ending` is what had to be settled of it. */
export function outcomeOfStopped(ended: ExecutionOutcome, ending: readonly JournalEntry[]): ToolCallOutcome {
  return leavesUnknown(ending) ? UNKNOWN : outcomeOfScope(ended);
}

/** Of an agent that is gone, inactive or not usable; `ending` is what had to be settled of it. */
export function outcomeOfUnusable(ending: readonly JournalEntry[]): ToolCallOutcome {
  return leavesUnknown(ending)
    ? UNKNOWN
    : failed(AGENT_UNUSABLE_TEXT, 'VALIDATION_ERROR: the agent is gone, inactive or not usable');
}

const UNKNOWN: ToolCallOutcome = { status: 'outcome_unknown', output: UNKNOWN_OUTCOME_TEXT };

function answered(output: string): ToolCallOutcome {
  return { status: 'succeeded', output, result: { status: 'success', result: { message: output } } };
}

/** Where a schema was asked for, its fields are those of the result (S2-19): whoever audits it finds them by their names. */
function answeredByFields(text: string): ToolCallOutcome {
  const read = readJsonAnswer(text);
  if (!read.success || !isJsonObject(read.data)) return answered(text);
  const result: JsonValue = { status: 'success', result: read.data };
  return { status: 'succeeded', output: text, result };
}

function failed(output: string, error: string): ToolCallOutcome {
  return { status: 'failed', output, error };
}
