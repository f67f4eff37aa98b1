import { defineTool, ToolFailure } from 'capstan/kit';
import { z } from 'zod';
import type { SalesAgentResult } from '../agent-results/sales-agent-result.ts';
import { describeOrderRequest } from '../order-requests/describe-order-request.ts';
import { readOrderRequest } from '../order-requests/read-order-request.ts';
import { MAX_ID } from '../values.ts';

/** Reads an order of an earlier turn. Its id is added to the answer, so that the user interface can show it. */
export const getOrderRequestTool = defineTool({
  name: 'get_order_request',
  description:
    'Reads an order request by its number: customer, lines, open questions. An order saved just now can be read from ' +
    "the customer's next message on.",
  effect: 'read',
  input: z.object({ order_request_id: z.number().int().min(1).max(MAX_ID) }),
  limits: { timeoutMs: 10_000 },
  run: async ({ order_request_id: id }, { tenantId, database, bake }): Promise<SalesAgentResult> => {
    const order = await readOrderRequest(database, tenantId, id);
    if (order === null) throw new ToolFailure(`There is no order request ${id}.`);
    bake({ referencedOrderRequestId: order.id });
    return { message: describeOrderRequest(order), referencedOrderRequestId: order.id };
  },
});
