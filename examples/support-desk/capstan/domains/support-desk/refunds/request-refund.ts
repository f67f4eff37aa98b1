import { wasNeverSent } from 'capstan/kit';
import { evaluateRefundAnswer, type RefundOutcome } from './evaluate-refund-answer.ts';
import type { Shop } from './shops.ts';

/** Body of the refund request. */
export interface RefundRequest {
  readonly order: string;
  /** Decimal text, e.g. `49.90`. */
  readonly amount: string;
  readonly reason: string;
}

/**
 * Requests a refund from a shop, once. Throws what `fetch` throws if the shop may have received the request: the outcome of
 * an `unsafe` tool is unknown after such an error.
 */
export async function requestRefund(
  fetch: typeof globalThis.fetch,
  { url, token }: Shop,
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
    if (wasNeverSent(error)) return { kind: 'refused', reason: 'The shop cannot be reached.' };
    throw error;
  }
}
