import type { RefusalReason } from '#libs/tooling';
import type { ToolCallState } from './scope-state.js';
import type { JournalEntry, ToolCallOutcome } from './journal-entry.js';

export const settled = (call: ToolCallState, outcome: ToolCallOutcome): JournalEntry => ({
  kind: 'tool_call_settled',
  round: call.round,
  position: call.position,
  outcome,
});

export const refused = (call: ToolCallState, reason: RefusalReason, output: string): JournalEntry =>
  settled(call, { status: 'refused', reason, output });

/** Outcome of a call that had not begun when its execution ended. */
export const TOO_LATE: ToolCallOutcome = {
  status: 'refused',
  reason: 'too_late',
  output: 'the execution ended before this call',
};
