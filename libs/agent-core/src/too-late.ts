import type { ToolCallOutcome } from './journal-entry.js';

/** What becomes of a call that did not run before its execution ended. */
export const TOO_LATE: ToolCallOutcome = {
  status: 'refused',
  reason: 'too_late',
  output: 'the execution ended before this call',
};
