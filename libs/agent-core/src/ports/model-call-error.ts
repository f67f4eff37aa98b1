import { AppError } from '#libs/kernel';

export interface ModelCallErrorOptions {
  /** Which way it failed, e.g. `rate_limited`, `truncated_stream`, `invalid_credentials`. For logs and tests. */
  readonly reason: string;
  /** Safe to show to a client: never the provider's raw text. */
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | null;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A call of a model that gave no answer. The raw error of a client library never crosses the port. */
export class ModelCallError extends AppError {
  readonly reason: string;
  readonly retryAfterMs: number | null;

  constructor(options: ModelCallErrorOptions) {
    super({
      code: 'SDK_ERROR',
      kind: 'unavailable',
      message: options.message,
      retryable: options.retryable,
      details: { reason: options.reason, ...options.details },
      cause: options.cause,
    });
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
