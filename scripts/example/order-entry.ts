import { z } from 'zod';
import type { Example } from '../quickstart/example.ts';
import { ORDER_REQUEST, sayOrder } from './present-order.ts';

const RESULT = z.object({
  message: z.object({ data: z.object({ savedOrderRequestId: z.number().optional() }) }),
});

/** Turns a customer's order text into an order request, with item number and unit on every line. */
export const orderEntry: Example = {
  agent: 'salesAgent',
  simulatedModel: 'sim-order-clerk',
  inputs: 'examples/order-entry/texts',
  showResult: async (result, client) => {
    const orderId = RESULT.parse(result).message.data.savedOrderRequestId;
    if (orderId === undefined) return ['No order was saved.'];
    sayOrder(await client.get(`/api/order-requests/${orderId}/`, ORDER_REQUEST));
    return [];
  },
};
