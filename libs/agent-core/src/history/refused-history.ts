import type { ExecutionContext } from '../execution-context.js';
import type { ModelCallError } from '../ports/model-call-error.js';
import type { ScopeState } from '../scope-state.js';

/** Reasons of a `ModelCallError` after which the provider would refuse the same request again. */
const REFUSALS: ReadonlySet<string> = new Set(['invalid_request', 'context_length_exceeded']);

/** HTTP statuses that reject the content of a request, unlike redirects and conflicts. */
const STATUSES: readonly unknown[] = [400, 413, 422];

/** Matches messages about a too long conversation from servers without an error code. */
const TOO_LONG = /context[ _-]?(?:length|window|size)|too (?:long|many tokens)|maximum .{0,40}tokens/i;

/**
 * Whether only the conversation can be why a provider refused a request: it accepted an earlier one in this loop with
 * the same tools and parameters, or reports that the conversation is too long.
 */
export function refusesHistory(
  error: Pick<ModelCallError, 'reason' | 'retryable' | 'message' | 'details'>,
  { rounds }: Pick<ScopeState, 'rounds'>,
  { history }: Pick<ExecutionContext, 'history'>,
): boolean {
  if (error.retryable || !REFUSALS.has(error.reason)) return false;
  const status = error.details['status'];
  if (status !== undefined && !STATUSES.includes(status)) return false;
  if (rounds.some(({ step }) => step === undefined)) return true;
  const isTooLong = error.reason === 'context_length_exceeded' || TOO_LONG.test(error.message);
  return isTooLong && history.some(({ role }) => role !== 'system');
}

/** Whether the conversation was refused once: from then on the prompt is shortened. */
export function isHistoryRefused({ unansweredCalls }: Pick<ScopeState, 'unansweredCalls'>): boolean {
  return unansweredCalls.some((call) => call.refusal !== undefined);
}

/** Warnings for people that the model was shown a shortened conversation, with the provider's reason. */
export function refusalWarnings({ unansweredCalls }: Pick<ScopeState, 'unansweredCalls'>): string[] {
  return unansweredCalls.flatMap(({ round, refusal }) =>
    refusal === undefined
      ? []
      : [
          `the provider refused the conversation in round ${round}, which was sent again shortened: ${refusal}`,
        ],
  );
}
