import { defineRoute } from 'capstan/kit';
import { z } from 'zod';
import { settleOutcome } from '../sending/settle-outcome.ts';
import { describedOrderRequest, toAnswer } from './order-request.schema.ts';
import { idSchema } from '../values.ts';

const orderNumber = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('Number of the order at the ordering service, as a person read it there.');

/** Lets a person report the outcome of an order for which no answer came. */
export const settleOutcomeRoute = defineRoute({
  method: 'POST',
  path: 'order-requests/:id/outcome',
  operation: 'settleOrderRequestOutcome',
  tag: 'order entry',
  summary: 'Report the outcome of an order request',
  description:
    'For an order request that failed with `is_outcome_unknown`, after a person checked at the ordering service. `sent`: the ' +
    'order is there, under this number. `not_sent`: it is not, and may be changed and sent again, also to another service. ' +
    'Repeating the same outcome changes nothing.',
  scope: 'approvals:decide',
  params: z.object({ id: idSchema.describe('The id of the order request.') }),
  body: {
    name: 'OrderRequestOutcome',
    schema: z.discriminatedUnion('outcome', [
      z.strictObject({ outcome: z.literal('sent'), order_number: orderNumber }),
      z.strictObject({ outcome: z.literal('not_sent') }),
    ]),
    example: { outcome: 'sent', order_number: 'SO-1001' },
  },
  answer: { ...describedOrderRequest, status: 200, description: 'The order request as it is now.' },
  versionOf: ({ version }) => version,
  changesIfMatch: true,
  problems: [404, 409],
  handle: async (request, { database }) => {
    const { tenantId, keyId, expectedVersions, params, body } = request;
    const found = body.outcome === 'sent' ? { outcome: body.outcome, orderNumber: body.order_number } : body;
    return toAnswer(
      await settleOutcome(database, { tenantId, keyId, expectedVersions, id: params.id }, found),
    );
  },
});
