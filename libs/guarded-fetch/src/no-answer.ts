import type { FetchFailureReason } from './fetch-failure.js';

/** Of these, a moment later it may be otherwise. */
const PASSING: ReadonlySet<FetchFailureReason> = new Set([
  'unknown_host',
  'unresolved_host',
  'connection_failed',
  'timeout',
]);

/**
 * A URL gave no answer, or an answer that broke off. Its message is safe to show: it says nothing about our network, and
 * nothing of what was to be sent.
 */
export class NoAnswerError extends Error {
  /**
   * For whoever judges whether a call may be repeated. The other side may have acted: `FETCH_BROKE_OFF`, or
   * `FETCH_IN_VAIN` where it would be no other a moment later. It has seen nothing: `FETCH_NOT_REACHED`, or
   * `FETCH_NOT_SENT` where it never will.
   */
  readonly code: 'FETCH_BROKE_OFF' | 'FETCH_IN_VAIN' | 'FETCH_NOT_REACHED' | 'FETCH_NOT_SENT';

  constructor(
    readonly reason: FetchFailureReason | 'too_long',
    /** Whether anything of the request may have come to the other side. */
    readonly mayHaveBeenSent: boolean,
  ) {
    super(`the address gave no answer: ${reason}`);
    this.name = 'NoAnswerError';
    const isPassing = reason !== 'too_long' && PASSING.has(reason);
    if (mayHaveBeenSent) this.code = isPassing ? 'FETCH_BROKE_OFF' : 'FETCH_IN_VAIN';
    else this.code = isPassing ? 'FETCH_NOT_REACHED' : 'FETCH_NOT_SENT';
  }
}
