export {
  type AdditionalData,
  additionalDataSchema,
  type BakedData,
  describeAdditionalData,
  holdBakedData,
  type LookedUp,
  withContext,
} from './chat/additional-data.js';
export type { AnswerPart } from './chat/answer-part.js';
export {
  dataUrlOf,
  type PromptMedia,
  type PromptMessage,
  type PromptToolCall,
} from './chat/prompt-message.js';
export {
  READABLE_MEDIA,
  READING_WAYS,
  readingWayOf,
  type ReadableMedia,
  type ReadingWay,
} from './attachments/attachment-reading.js';
export { addTokens, NO_TOKENS, type TokenUsage, tokenUsageSchema } from './chat/token-usage.js';
export {
  type ExecutionEvent,
  executionEventDataSchemas,
  type ExecutionEventName,
  type NumberedEvent,
  isLastEvent,
} from './events/execution-event.js';
export {
  executionResultSchema,
  toExecutionResult,
  withoutResultDetails,
  type ExecutionResult,
} from './executions/execution-result.js';
export {
  type ExecuteRequest,
  executeRequestSchema,
  executorIdOf,
  type KeptRequest,
  metadataSchema,
} from './executions/execute-request.js';
export { type RequestTokens } from './executions/request-tokens.js';
export {
  EXECUTION_STATUSES,
  type ExecutionStatus,
  INCOMPLETE_REASONS,
  type IncompleteReason,
  isSettled,
  SETTLED_STATUSES,
  type SettledStatus,
} from './executions/execution-status.js';
export {
  executionSummarySchema,
  executionWithRequestSchema,
  type ExecutionSummary,
  type ExecutionWithRequest,
  type ExecutionUsage,
  type ExecutionView,
  executionViewSchema,
  lateEvidenceSchema,
  type LateEvidence,
  type PendingCall,
} from './executions/execution-view.js';
export { takenDecisionSchema, type TakenDecision } from './executions/taken-decision.js';
export { LISTED_INPUT_CHARACTERS, type RequestView } from './executions/request-view.js';
export {
  toWaitingEvent,
  WAIT_KINDS,
  type ShownWait,
  type WaitKind,
  type WaitingFor,
} from './executions/waiting-for.js';
export {
  findModelFaults,
  type LoopParameters,
  loopParametersSchema,
  mergeOptions,
  type OptionFault,
  optionNames,
  optionsSchema,
} from './executions/options.js';
export { type LlmValidation, llmValidationSchema } from './jobs/llm-validation.js';
export {
  jobCatalogue,
  type JobPayload,
  MAX_EXECUTIONS_OF_A_JOB,
  parseJob,
  QUEUE_NAMES,
  type QueueName,
  deliverWebhookJob,
  executeJob,
  executionsOf,
  connectServerJob,
  ingestDocumentJob,
  searchDocumentsJob,
  tryToolJob,
  validateLlmJob,
} from './jobs/job-catalogue.js';
export {
  listedToolSchema,
  toolServerProbeSchema,
  toolTrialSchema,
  type ToolServerProbe,
  type ToolTrialAnswer,
} from './jobs/tool-trial.js';
export { jsonObjectSchema, jsonValueSchema } from './json-schemas.js';
export {
  InvalidModelParameterError,
  type ModelParameter,
  type ParameterRules,
  parseBoolLike,
} from './parameters/parameter-rules.js';
export {
  MAX_WEBHOOK_BYTES,
  toWebhookBody,
  WEBHOOK_DELIVERY_TYPES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_TEST_TYPE,
  webhookBodySchema,
  webhookTestBodySchema,
  type WebhookDeliveryType,
  type WebhookEventType,
  webhookTypeOf,
  webhookRequestHeaders,
} from './webhooks/webhook-event.js';
export { type ExecutionWebhook, webhookEventsSchema, webhookUrlSchema } from './webhooks/webhook-target.js';
export { type Citation, roundScore, toCitation } from './retrieval/citation.js';
export { documentWarningSchema } from './retrieval/document-warning.js';
export {
  type DocumentSearch,
  type DocumentSearchAnswer,
  documentSearchAnswerSchema,
  type DocumentSearchOutcome,
  documentSearchOutcomeSchema,
  documentSearchSchema,
} from './retrieval/document-search.js';
export { type RetrievalUsage, retrievalUsageSchema } from './retrieval/retrieval-usage.js';
export {
  readRetrievalParameters,
  RETRIEVAL_PARAMETER_NAMES,
  type RetrievalFault,
  type RetrievalParameters,
  type RetrievalReading,
  readSearchParameters,
  type SearchParameters,
  withoutRetrieval,
} from './retrieval/retrieval-parameters.js';
export { digits, idInBodySchema, idSchema, uuidSchema, wholeNumber } from './requests/request-values.js';
export { assignedExecutionsSchema, freeSlotsSchema } from './jobs/assigned-executions.js';
