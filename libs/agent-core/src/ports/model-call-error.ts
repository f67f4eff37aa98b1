import { AppError } from '#libs/kernel';
import type { TokenUsage } from '#libs/payloads';

export interface ModelCallErrorOptions {
  /** The kind of failure, e.g. `rate_limited`, `truncated_stream`, `invalid_credentials`. For logs and tests. */
  readonly reason: string;
  /** Safe to show to the tenant's clients: the provider's message without secrets, truncated (S4-37). */
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | null;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Usage of the failed call, if the provider reported it. */
  readonly spent?: SpentOnFailure | null;
  readonly cause?: unknown;
}

/** Usage that a provider reported for a call without an answer. */
export interface SpentOnFailure {
  readonly responseId: string | null;
  /** Model name as the provider reports it; null if it does not. */
  readonly model: string | null;
  readonly usage: TokenUsage;
}

/** Error code of a call that the provider rejected because of its rate limit. */
export const RATE_LIMITED = 'RATE_LIMITED';
const RATE_LIMIT_REASON = 'rate_limited';

/** A model call without an answer. The raw error of a client library never crosses the port. */
export class ModelCallError extends AppError {
  readonly reason: string;
  readonly retryAfterMs: number | null;
  readonly spent: SpentOnFailure | null;

  constructor(options: ModelCallErrorOptions) {
    super({
      code: options.reason === RATE_LIMIT_REASON ? RATE_LIMITED : 'SDK_ERROR',
      kind: 'unavailable',
      message: options.message,
      retryable: options.retryable,
      details: { reason: options.reason, ...options.details },
      cause: options.cause,
    });
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.spent = options.spent ?? null;
  }
}
