import { NoAnswerError } from '#libs/guarded-fetch';
import type { CalledService } from '#libs/tooling';
import { judgeRefundAnswer, type RefundOutcome } from './judge-refund-answer.js';

/** What is asked of the shop, as it is sent. */
export interface RefundRequest {
  readonly order: string;
  /** Such as `49.90`. */
  readonly amount: string;
  readonly reason: string;
}

/**
 * Asks a shop for a refund, once. `fetch` follows no redirect and is on a connection of its own; its signal ends the call.
 * Throws what the signal says when it aborts.
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
    return judgeRefundAnswer(answer.status, await answer.text().catch(() => ''));
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    if (error.mayHaveBeenSent) return { kind: 'unknown' };
    return { kind: 'refused', reason: 'The shop cannot be reached.' };
  }
}
