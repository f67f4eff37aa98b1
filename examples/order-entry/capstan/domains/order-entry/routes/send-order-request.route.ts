import { defineRoute } from 'capstan/kit';
import { z } from 'zod';
import { askToSend } from '../sending/ask-to-send.ts';
import { describedOrderRequest, toAnswer } from './order-request.schema.ts';
import { idSchema } from '../values.ts';

/** Lets a person send a confirmed order. */
export const sendOrderRequestRoute = defineRoute({
  method: 'POST',
  path: 'order-requests/:id/send',
  operation: 'sendOrderRequest',
  tag: 'order entry',
  summary: 'Send a confirmed order request to the ordering service',
  description:
    'Sending runs in the background and happens once, even if a worker dies; read the order request for its progress. ' +
    'Repeating the request sends nothing twice; a failed one is sent again under the same key.',
  scope: 'approvals:decide',
  params: z.object({ id: idSchema.describe('The id of the order request.') }),
  answer: {
    ...describedOrderRequest,
    status: 202,
    description: 'The order request is being sent or was sent; see `status`.',
  },
  versionOf: ({ version }) => version,
  changesIfMatch: true,
  problems: [404, 409, 422],
  handle: async (request, dependencies) => {
    const { tenantId, keyId, expectedVersions, params } = request;
    return toAnswer(await askToSend(dependencies, { tenantId, keyId, expectedVersions, id: params.id }));
  },
});
