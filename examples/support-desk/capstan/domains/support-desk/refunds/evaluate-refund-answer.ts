import { z } from 'zod';

/** Outcome of a refund request. */
export type RefundOutcome =
  | { readonly kind: 'refunded'; readonly receipt: string | null }
  /** Nothing was paid; `reason` is shown to the model. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The refund may have been paid. */
  | { readonly kind: 'unknown' };

const receiptSchema = z.object({ receipt: z.string().min(1).max(100) });

const REASONS: Readonly<Record<number, string>> = {
  404: 'The shop does not know this order.',
  422: 'The shop pays no such amount back for this order.',
};
/** A shop that timed out, or a proxy before it, may have passed the request on. */
const REQUEST_TIMEOUT = 408;

/**
 * Classifies the answer of a shop. 201 is a refund with any body; a refusal needs a 4xx, since 303 is a usual answer to a
 * successful POST. The model never reads the shop's text, only fixed reasons.
 * @param body raw body, which may be invalid JSON
 */
export function evaluateRefundAnswer(status: number, body: string): RefundOutcome {
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
