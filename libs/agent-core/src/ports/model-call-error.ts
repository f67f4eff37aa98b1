import { AppError } from '#libs/kernel';
import type { TokenUsage } from '#libs/payloads';

export interface ModelCallErrorOptions {
  /** Which way it failed, e.g. `rate_limited`, `truncated_stream`, `invalid_credentials`. For logs and tests. */
  readonly reason: string;
  /** Safe to show to the tenant's own clients: the provider's words without secrets, cut (S4-37). */
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | null;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What it has cost all the same. */
  readonly spent?: SpentOnFailure | null;
  readonly cause?: unknown;
}

/** The usage that a provider reported of a call which gave no answer. */
export interface SpentOnFailure {
  readonly responseId: string | null;
  /** As the provider names it; null where it did not. */
  readonly model: string | null;
  readonly usage: TokenUsage;
}

/** The code of a call that its provider refused because it is asked too often. */
export const RATE_LIMITED = 'RATE_LIMITED';
const RATE_LIMIT_REASON = 'rate_limited';

/** A call of a model that gave no answer. The raw error of a client library never crosses the port. */
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
