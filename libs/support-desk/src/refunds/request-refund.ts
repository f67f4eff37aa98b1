import { NoAnswerError } from '#libs/guarded-fetch';
import type { CalledService } from '#libs/tooling';
import { evaluateRefundAnswer, type RefundOutcome } from './evaluate-refund-answer.js';

/** Body of the refund request. */
export interface RefundRequest {
  readonly order: string;
  /** Decimal text, e.g. `49.90`. */
  readonly amount: string;
  readonly reason: string;
}

/**
 * Requests a refund from a shop, once. `fetch` must follow no redirects and use a separate connection. Throws the signal's
 * reason when it aborts.
 */
export async function requestRefund(
  fetch: typeof globalThis.fetch,
  { url, token }: CalledService,
  refund: RefundRequest,
  { idempotencyKey, signal }: { readonly idempotencyKey: string; readonly signal: AbortSignal },
): Promise<RefundOutcome> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  const asked = { method: 'POST', headers, body: JSON.stringify(refund), signal };
  try {
    const answer = await fetch(url, asked);
    return evaluateRefundAnswer(answer.status, await answer.text().catch(() => ''));
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    if (error.mayHaveBeenSent) return { kind: 'unknown' };
    return { kind: 'refused', reason: 'The shop cannot be reached.' };
  }
}
