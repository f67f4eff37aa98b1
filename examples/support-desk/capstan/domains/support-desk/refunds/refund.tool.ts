import { defineTool, ToolFailure, ToolNotBegun, ToolOutcomeUnknown } from 'capstan/kit';
import { z } from 'zod';
import type { RefundReceipt } from '../message-data.ts';
import { orderNumberSchema } from '../order-number.ts';
import type { RefundOutcome } from './evaluate-refund-answer.ts';
import { refundableAmountSchema } from './refundable-amount.ts';
import { requestRefund } from './request-refund.ts';
import { findShop } from './shops.ts';

/**
 * Refunds a customer through the tenant's shop, after a person's approval. The tool is `unsafe`: the shop is called at most
 * once, and a person resolves an unknown outcome after a crash.
 */
export const refund = defineTool({
  name: 'refund',
  description:
    'Pays a customer back what an order has cost, or a part of it, after a colleague has agreed. ' +
    'An error answer means that nothing was paid.',
  effect: 'unsafe',
  approval: 'always',
  onUnknown: 'ask',
  input: z.object({
    order_number: orderNumberSchema,
    amount: refundableAmountSchema,
    reason: z.string().min(1).max(200).describe('Why, for the colleague and for accounting.'),
  }),
  limits: { timeoutMs: 20_000 },
  run: async ({ order_number: order, amount, reason }, context) => {
    const { bake, fetch, idempotencyKey, signal } = context;
    const shop = await findShop(context).catch((cause: unknown) => {
      throw new ToolNotBegun('the shop could not be looked up; nothing was sent', { cause });
    });
    if (shop === null) throw new ToolFailure('Nothing was paid. No shop is set up for refunds.');
    const asked = { order, amount, reason };
    const receipt = receiptOf(await requestRefund(fetch, shop, asked, { idempotencyKey, signal }));
    const refundReceipt: RefundReceipt = { orderNumber: order, amount, receipt };
    bake({ refundReceipt });
    return { message: `${amount} is paid back for the order ${order}.`, refundReceipt };
  },
});

/** Receipt of a refund that was paid. Throws if none was, or that is unknown. */
function receiptOf(outcome: RefundOutcome): string | null {
  switch (outcome.kind) {
    case 'unknown':
      throw new ToolOutcomeUnknown('the shop did not say what became of the refund');
    case 'refused':
      throw new ToolFailure(`Nothing was paid. ${outcome.reason}`);
    case 'refunded':
      return outcome.receipt;
  }
}
