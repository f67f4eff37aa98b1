import { z } from 'zod';

/** What became of a refund that was asked for. */
export type RefundOutcome =
  | { readonly kind: 'refunded'; readonly receipt: string | null }
  /** Nothing was paid; `reason` is for the model. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It may have been paid. */
  | { readonly kind: 'unknown' };

const receiptSchema = z.object({ receipt: z.string().min(1).max(100) });

const REASONS: Readonly<Record<number, string>> = {
  404: 'The shop does not know this order.',
  422: 'The shop pays no such amount back for this order.',
};
/** A shop that gave up waiting, or a proxy before it, may have passed the request on. */
const REQUEST_TIMEOUT = 408;

/**
 * Reads the answer of a shop. 201 is a refund, whatever else it says; only 4xx says that there was none, as 3xx does not:
 * 303 is a usual answer to a POST that was carried out. Words of a shop never reach the model: a refusal is said in ours.
 *
 * @param body as it came, which may be no JSON
 */
export function judgeRefundAnswer(status: number, body: string): RefundOutcome {
  if (status === 201) return { kind: 'refunded', receipt: readReceipt(body) };
  if (status >= 500 || status < 400 || status === REQUEST_TIMEOUT) return { kind: 'unknown' };
  return { kind: 'refused', reason: REASONS[status] ?? 'The shop refuses the refund.' };
}

function readReceipt(body: string): string | null {
  try {
    return receiptSchema.parse(JSON.parse(body)).receipt;
  } catch {
    return null;
  }
}
