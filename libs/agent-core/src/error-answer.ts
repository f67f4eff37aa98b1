import { isJsonObject } from '#libs/kernel';
import type { ToolCallOutcome } from './journal-entry.js';

/**
 * Whether clients and the audit see an error (S4-26): the call did not complete, or its tool returned an error. An
 * equal call may follow an error that the tool returned, but not one that it threw (3.D-8).
 */
export function endedInError(outcome: ToolCallOutcome): boolean {
  return outcome.status !== 'succeeded' || answeredError(outcome);
}

/** Whether the tool completed and returned an error. */
export function answeredError({ result }: Extract<ToolCallOutcome, { status: 'succeeded' }>): boolean {
  return isJsonObject(result) && result['status'] === 'error';
}
