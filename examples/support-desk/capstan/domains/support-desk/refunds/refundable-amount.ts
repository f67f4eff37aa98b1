import { z } from 'zod';

const AMOUNT = /^\d{1,6}\.\d{2}$/;

/** Maximum refund, in the currency of the order; above it the agent opens a ticket, and accounting pays. */
const MAX_REFUND = '500.00';

/**
 * Whether the amount is above zero, at most {@link MAX_REFUND}, and has two decimals. Other amounts are refused before
 * a person is asked.
 */
export function isRefundable(amount: string): boolean {
  return AMOUNT.test(amount) && toCents(amount) > 0 && toCents(amount) <= toCents(MAX_REFUND);
}

/** Exact for amounts of two decimals. */
function toCents(amount: string): number {
  return Number(amount.replace('.', ''));
}

export const refundableAmountSchema = z
  .string()
  .refine(isRefundable, `must be an amount such as 49.90, above 0 and at most ${MAX_REFUND}`)
  .describe(`What is paid back, in the currency of the order, such as 49.90; at most ${MAX_REFUND}.`);
