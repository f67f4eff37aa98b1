import { defineTool, errorResult } from '#libs/tooling';
import type { ToolDefinition, ToolReturn } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { describeOrderRequest } from '../order-requests/describe-order-request.js';
import { MAX_ID } from '../order-requests/order-request-id.js';
import { readOrderRequest } from '../order-requests/read-order-request.js';
import type { OrderRequestView } from '../order-requests/read-order-request.js';
import type { BakedByOrderEntry } from '../message-data/additional-data.js';
import type { SalesAgentFunctionCallResult } from '../agent-results/sales-agent-result.js';

/**
 * `get_order_request`: reads an order of an earlier turn. Its id is baked into the message, so that the user interface can
 * show it (S2-24).
 */
export function getOrderRequestTool(manager: EntityManager): ToolDefinition {
  return defineTool({
    name: 'get_order_request',
    label: 'get order request',
    description:
      'Reads an order request by its number: customer, lines, open questions. An order saved just now can be read from ' +
      "the customer's next message on.",
    effect: 'read',
    input: z.object({ order_request_id: z.number().int().min(1).max(MAX_ID) }),
    timeoutMs: 10_000,
    run: async ({ order_request_id: id }, { tenantId }) => {
      const order = await readOrderRequest(manager, tenantId, id);
      return order === null
        ? { result: errorResult(`There is no order request ${id}.`) }
        : referencingReturn(order);
    },
  });
}

function referencingReturn(order: OrderRequestView): ToolReturn {
  const message = describeOrderRequest(order);
  const result: SalesAgentFunctionCallResult = {
    status: 'success',
    result: { message, referencedOrderRequestId: order.id },
  };
  return { result, bake: { referencedOrderRequestId: order.id } satisfies BakedByOrderEntry };
}
