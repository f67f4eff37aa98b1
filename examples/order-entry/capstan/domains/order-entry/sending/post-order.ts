import { evaluateAnswer, type AnswerVerdict } from './evaluate-answer.ts';
import type { SendFault } from './send-fault.ts';
import type { SendOrderData } from './send-order-data.ts';

/**
 * Posts an order to an ordering service, once. Every answer or failure becomes a verdict; throws only for an invalid
 * request.
 * @param token bearer token of the service; null if it requires none
 */
export async function postOrder(
  fetchGuarded: typeof fetch,
  { url, idempotencyKey, order }: Pick<SendOrderData, 'url' | 'idempotencyKey' | 'order'>,
  { token, signal }: { readonly token: string | null; readonly signal: AbortSignal },
): Promise<AnswerVerdict> {
  try {
    const answer = await fetchGuarded(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': idempotencyKey,
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(order),
      redirect: 'manual',
      signal,
    });
    const retryAfter = answer.headers.get('retry-after');
    return evaluateAnswer({ status: answer.status, retryAfter, body: await answer.text() }, Date.now());
  } catch (error) {
    const fault = faultOf(error, signal);
    if (fault === null) throw error;
    const kind = fault.code === 'address_unusable' ? 'refused' : 'passing';
    return { kind, fault, afterMs: null };
  }
}

/** Null for an error that does not come from the service or its network. */
function faultOf(error: unknown, signal: AbortSignal): SendFault | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'FETCH_NOT_REACHED') return { code: 'service_unreachable', status: null, arrived: 'nothing' };
  if (code === 'FETCH_NOT_SENT') return { code: 'address_unusable', status: null, arrived: 'nothing' };
  const isLost = code === 'FETCH_BROKE_OFF' || code === 'FETCH_IN_VAIN' || signal.aborted;
  return isLost ? { code: 'answer_lost', status: null, arrived: 'perhaps' } : null;
}
