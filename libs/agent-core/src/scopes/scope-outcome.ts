import { AGENT_UNUSABLE_TEXT, UNKNOWN_OUTCOME_TEXT } from '#libs/tooling';
import type { ExecutionOutcome, JournalEntry, ToolCallOutcome } from '../journal-entry.js';
import { leavesUnknown, STOPPED_AGENT } from './settle-leftovers.js';

/** What the caller of an agent reads of how its loop has ended. */
export function outcomeOfScope(ended: ExecutionOutcome): ToolCallOutcome {
  switch (ended.status) {
    case 'completed':
      return answered(ended.text);
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

function failed(output: string, error: string): ToolCallOutcome {
  return { status: 'failed', output, error };
}
