import type { ToolCallOutcome } from './journal-entry.js';

/** Outcome of a call that had not begun when its execution ended. */
export const TOO_LATE: ToolCallOutcome = {
  status: 'refused',
  reason: 'too_late',
  output: 'the execution ended before this call',
};
