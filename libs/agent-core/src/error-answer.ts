import { isJsonObject } from '#libs/kernel';
import type { ToolCallOutcome } from './journal-entry.js';

/**
 * Whether clients and the audit are shown an error (S4-26): the call did not run to its end, or its tool answered an
 * error. The loop goes on, and an equal call may follow a tool's own error: only what threw is not repeated (3.D-8).
 */
export function endedInError(outcome: ToolCallOutcome): boolean {
  return outcome.status !== 'succeeded' || answeredError(outcome);
}

/** Whether the tool ran to its end and said what went wrong. */
export function answeredError({ result }: Extract<ToolCallOutcome, { status: 'succeeded' }>): boolean {
  return isJsonObject(result) && result['status'] === 'error';
}
