export { orderEntry } from './order-entry.domain.js';
export type { OrderEntryWorkflowFunctionCallResult } from './agent-results/order-entry-workflow-result.js';
export type { OutpurReport, OutputReport } from './agent-results/output-report.js';
export type { ReviewerAgentOutput } from './agent-results/reviewer-agent-output.js';
export type { ReviewerAgentFunctionCallResult } from './agent-results/reviewer-agent-result.js';
export type { SalesAgentFunctionCallResult } from './agent-results/sales-agent-result.js';
export type {
  BakedByOrderEntry,
  ChatMessageAdditionalData,
  ChatMessageAdditionalDataInput,
} from './message-data/additional-data.js';
export { orderEntryEntities } from './entities/order-entry-entities.js';
export { orderEntryMigrations } from './migrations/order-entry-migrations.js';
export {
  type OrderDraftItemRequest,
  type SaveOrUpdateOrderDraftParams,
} from './order-draft/order-draft.schema.js';
export { type OrderEntryPayload, type OrderEntryPayloadItem } from './order-draft/order-entry-payload.js';
export { orderRequestSaved } from './order-requests/apply-order-request-saved.js';
export { ORDER_REQUEST_SAVED, type OrderRequestSaved } from './order-requests/order-request-saved.js';
export {
  readOrderRequest,
  type OrderRequestLineView,
  type OrderRequestView,
} from './order-requests/read-order-request.js';
export { orderRequestSchema } from './routes/order-request.schema.js';
export { seedOrderEntry } from './seed/seed-order-entry.js';
export { orderEntryTools } from './tools/order-entry-tools.js';
