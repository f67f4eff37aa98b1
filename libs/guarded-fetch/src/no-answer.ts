import type { FetchFailureReason } from './fetch-failure.js';

/** Failures that a retry may resolve. */
const PASSING: ReadonlySet<FetchFailureReason> = new Set([
  'unknown_host',
  'unresolved_host',
  'connection_failed',
  'timeout',
]);

/**
 * A URL gave no response, or an incomplete one. Its message is safe to show: it reveals neither the internal network
 * nor the request.
 */
export class NoAnswerError extends Error {
  /**
   * For the decision on a retry. If the server may have acted: `FETCH_BROKE_OFF`, or `FETCH_IN_VAIN` if a retry would
   * end the same. If it received nothing: `FETCH_NOT_REACHED`, or `FETCH_NOT_SENT` if a retry would end the same.
   */
  readonly code: 'FETCH_BROKE_OFF' | 'FETCH_IN_VAIN' | 'FETCH_NOT_REACHED' | 'FETCH_NOT_SENT';

  constructor(
    readonly reason: FetchFailureReason | 'too_long',
    /** Whether any byte of the request may have reached the server. */
    readonly mayHaveBeenSent: boolean,
  ) {
    super(`the address gave no answer: ${reason}`);
    this.name = 'NoAnswerError';
    const isPassing = reason !== 'too_long' && PASSING.has(reason);
    if (mayHaveBeenSent) this.code = isPassing ? 'FETCH_BROKE_OFF' : 'FETCH_IN_VAIN';
    else this.code = isPassing ? 'FETCH_NOT_REACHED' : 'FETCH_NOT_SENT';
  }
}
