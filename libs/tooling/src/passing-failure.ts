import type { ToolReturn } from './tool-definition.js';

/**
 * Thrown by a tool for a transient failure: the server was busy, unreachable, or broke the connection. A repeatable
 * call is retried; `answer` is its result once no try is left. For other calls that may have taken effect, judged by
 * status and cause, the outcome is unknown.
 */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';

  constructor(
    /** Error for the model; its result has the status `error`. */
    readonly answer: ToolReturn,
    /** HTTP status of the response; null if there was none. */
    readonly status: number | null,
    options?: ErrorOptions,
  ) {
    super(status === null ? 'no answer' : `answered ${status}`, options);
  }
}
