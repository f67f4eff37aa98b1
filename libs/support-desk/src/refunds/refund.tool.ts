import {
  defineTool,
  errorResult,
  ToolNotBegun,
  ToolOutcomeUnknown,
  type ToolDefinition,
  type ToolDependencies,
  type ToolReturn,
} from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { orderNumberSchema } from '../order-number.js';
import type { SupportAgentFunctionCallResult } from '../support-agent-result.js';
import type { RefundReceipt } from '../support-message-data.js';
import type { RefundOutcome } from './evaluate-refund-answer.js';
import { refundableAmountSchema } from './refundable-amount.js';
import { requestRefund } from './request-refund.js';
import { findShop } from './shops.js';

const TIMEOUT_MS = 20_000;

/**
 * `refund`: refunds a customer through the tenant's shop, after a person's approval. The tool is `unsafe`: the shop is
 * called at most once, and a person resolves an unknown outcome after a crash.
 */
export function refundTool({ manager, running }: ToolDependencies<EntityManager>): ToolDefinition {
  return defineTool({
    name: 'refund',
    label: 'refund',
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
    timeoutMs: TIMEOUT_MS,
    run: async ({ order_number: order, amount, reason }, { tenantId, idempotencyKey, signal }) => {
      if (running === undefined) throw new Error('a process that only lists tools has called one');
      const shop = await findShop(manager, running.secrets, tenantId).catch((cause: unknown) => {
        throw new ToolNotBegun('the shop could not be looked up; nothing was sent', { cause });
      });
      if (shop === null) return { result: errorResult('Nothing was paid. No shop is set up for refunds.') };
      const refund = { order, amount, reason };
      const call = { idempotencyKey, signal };
      const outcome = await requestRefund(running.fetchFor(tenantId), shop, refund, call);
      return toReturn(outcome, { orderNumber: order, amount });
    },
  });
}

function toReturn(outcome: RefundOutcome, paid: Omit<RefundReceipt, 'receipt'>): ToolReturn {
  switch (outcome.kind) {
    case 'unknown':
      throw new ToolOutcomeUnknown('the shop did not say what became of the refund');
    case 'refused':
      return { result: errorResult(`Nothing was paid. ${outcome.reason}`) };
    case 'refunded': {
      const refundReceipt = { ...paid, receipt: outcome.receipt };
      const message = `${paid.amount} is paid back for the order ${paid.orderNumber}.`;
      const result: SupportAgentFunctionCallResult = {
        status: 'success',
        result: { message, refundReceipt },
      };
      return { result, bake: { refundReceipt } };
    }
  }
}
