import { defineDomain } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { analyzeAgent } from './agents/analyze-agent.js';
import { orderEntryWorkflow } from './agents/order-entry-workflow.js';
import { reviewerAgent } from './agents/reviewer-agent.js';
import { salesAgent } from './agents/sales-agent.js';
import { orderEntryEntities } from './entities/order-entry-entities.js';
import { bakedSchemas, inputSchemas } from './message-data/additional-data.js';
import { firstVersion } from './message-data/first-version.js';
import { orderEntryLookUps } from './message-data/look-ups.js';
import { orderEntryErrors } from './order-entry.errors.js';
import { orderEntryMigrations } from './migrations/order-entry-migrations.js';
import { orderRequestSaved } from './order-requests/apply-order-request-saved.js';
import { ORDER_REQUEST_SAVED } from './order-requests/order-request-saved.js';
import { changeOrderRequestRoute } from './routes/change-order-request.route.js';
import { findOrderRequestRoute } from './routes/find-order-request.route.js';
import { orderRequestChangeList } from './routes/order-request-change.list.js';
import { orderRequestList } from './routes/order-request.list.js';
import { orderingServiceRoutes } from './routes/ordering-service.routes.js';
import { sendOrderRequestRoute } from './routes/send-order-request.route.js';
import { settleOutcomeRoute } from './routes/settle-outcome.route.js';
import { seedOrderEntry } from './seed/seed-order-entry.js';
import { sendOrderTask } from './sending/send-order.task.js';
import { orderEntryTools } from './tools/order-entry-tools.js';

/** Takes customers' orders; the example of a domain in docs/contributing/playbooks/domain.md. */
export const orderEntry = defineDomain<EntityManager>({
  name: 'order-entry',
  tools: ({ manager }) => orderEntryTools(manager),
  entities: orderEntryEntities,
  migrations: orderEntryMigrations,
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
  agents: [salesAgent, reviewerAgent, orderEntryWorkflow, analyzeAgent],
  routes: [
    ...[findOrderRequestRoute, changeOrderRequestRoute, sendOrderRequestRoute, settleOutcomeRoute],
    ...orderingServiceRoutes,
  ],
  lists: [orderRequestList, orderRequestChangeList],
  errors: orderEntryErrors,
  seed: ({ manager, tenantId }) => seedOrderEntry(manager, tenantId),
});
