import { compareDecimals } from '#libs/kernel';
import { z } from 'zod';

const AMOUNT = /^\d{1,6}\.\d{2}$/;

/** Maximum refund, in the currency of the order; above it the agent opens a ticket, and accounting pays. */
const MAX_REFUND = '500.00';

/**
 * Whether the amount is above zero, at most {@link MAX_REFUND}, and has two decimals. Other amounts are refused before
 * a person is asked.
 */
export function isRefundable(amount: string): boolean {
  if (!AMOUNT.test(amount)) return false;
  return compareDecimals(amount, '0') > 0 && compareDecimals(amount, MAX_REFUND) <= 0;
}

export const refundableAmountSchema = z
  .string()
  .refine(isRefundable, `must be an amount such as 49.90, above 0 and at most ${MAX_REFUND}`)
  .describe(`What is paid back, in the currency of the order, such as 49.90; at most ${MAX_REFUND}.`);
