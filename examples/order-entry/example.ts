import { z } from 'zod';
import type { Example } from '../../scripts/quickstart/example.ts';
import { ORDER_REQUEST, sayOrder } from './present-order.ts';

const RESULT = z.object({
  message: z.object({ data: z.object({ savedOrderRequestId: z.number().optional() }) }),
});

/** An order as a customer writes it becomes an order request with an item number and a unit on every line. */
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
