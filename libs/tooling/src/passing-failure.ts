import type { ToolReturn } from './tool-definition.js';

/**
 * Thrown by a tool whose call failed and may fare better a moment later: the other side was busy, broke off or was not
 * reached. Where the call may be repeated it is; once no try is left, `answer` is what the tool returned. Where it may not
 * be and may have taken effect, which its status and cause say, the outcome is not known.
 */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';

  constructor(
    /** Says what went wrong to the model; its result has the status `error`. */
    readonly answer: ToolReturn,
    /** The HTTP status of the other side; null where it did not answer. */
    readonly status: number | null,
    options?: ErrorOptions,
  ) {
    super(status === null ? 'no answer' : `answered ${status}`, options);
  }
}
