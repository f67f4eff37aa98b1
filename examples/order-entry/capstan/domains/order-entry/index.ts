import { defineDomain } from 'capstan/kit';
import { analyzeAgent } from './agents/analyze-agent.ts';
import { orderEntryWorkflow } from './agents/order-entry-workflow.ts';
import { reviewerAgent } from './agents/reviewer-agent.ts';
import { salesAgent } from './agents/sales-agent.ts';
import { orderEntryErrors } from './errors.ts';
import { bakedSchemas, inputSchemas } from './message-data/additional-data.ts';
import { firstVersion } from './message-data/first-version.ts';
import { orderEntryLookUps } from './message-data/look-ups.ts';
import { orderRequestSaved } from './order-requests/apply-order-request-saved.ts';
import { ORDER_REQUEST_SAVED } from './order-requests/order-request-saved.ts';
import { changeOrderRequestRoute } from './routes/change-order-request.route.ts';
import { findOrderRequestRoute } from './routes/find-order-request.route.ts';
import { orderRequestChangeList } from './routes/order-request-change.list.ts';
import { orderRequestList } from './routes/order-request.list.ts';
import { orderingServiceRoutes } from './routes/ordering-service.routes.ts';
import { sendOrderRequestRoute } from './routes/send-order-request.route.ts';
import { settleOutcomeRoute } from './routes/settle-outcome.route.ts';
import { seedOrderEntry } from './seed/seed-order-entry.ts';
import { sendOrderTask } from './sending/send-order.task.ts';
import { getOrderRequestTool } from './tools/get-order-request.tool.ts';
import { readPageTool } from './tools/read-page.tool.ts';
import { saveOrderDraftTool } from './tools/save-order-draft.tool.ts';
import { saveReviewedOrderDraftTool } from './tools/save-reviewed-order-draft.tool.ts';
import { searchCustomersTool } from './tools/search-customers.tool.ts';
import { searchItemsTool } from './tools/search-items.tool.ts';

/** Takes customers' orders. */
export const orderEntry = defineDomain({
  name: 'order-entry',
  tools: [
    ...[searchItemsTool, searchCustomersTool, saveOrderDraftTool, getOrderRequestTool],
    ...[saveReviewedOrderDraftTool, readPageTool],
  ],
  agents: [salesAgent, reviewerAgent, analyzeAgent],
  pipelines: [orderEntryWorkflow],
  messageData: {
    version: 2,
    input: inputSchemas,
    stored: bakedSchemas,
    earlier: [firstVersion],
    hiddenFromModel: ['domSnapshot'],
  },
  lookUps: orderEntryLookUps,
  stagedChanges: { [ORDER_REQUEST_SAVED]: orderRequestSaved },
  tasks: [sendOrderTask],
  routes: [
    ...[findOrderRequestRoute, changeOrderRequestRoute, sendOrderRequestRoute, settleOutcomeRoute],
    ...orderingServiceRoutes,
  ],
  lists: [orderRequestList, orderRequestChangeList],
  errors: orderEntryErrors,
  seed: ({ database, tenantId }) => seedOrderEntry(database, tenantId),
});
