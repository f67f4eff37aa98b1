export {
  formatApiKey,
  hashApiKeySecret,
  isSecretOf,
  makeApiKey,
  parseApiKey,
  type ApiKey,
} from './api-key.js';
export { DEFAULT_SCOPES, parseScopes, SCOPES, type Scope } from './api-key-scopes.js';
export { checkDatabase, checkDatabaseAfresh, poolOf } from './connection-pool.js';
export { judgeDatabaseError, type DatabaseFailure, type DatabaseTrouble } from './database-failure.js';
export { configuredDataSource, createDataSource, type DatabaseOptions } from './data-source.js';
export { assertSessions } from './assert-sessions.js';
export { checkDatabaseAtStart } from './check-at-start.js';
export { assertMigrated, migrateDatabase, schemaDifferences, type AlsoMigrate } from './migrate-database.js';
export { withScratchDatabase } from './scratch-database.js';
export { DocumentChangesStore } from './stores/document-changes.store.js';
export { DocumentSearchStore, type AskedSearch } from './stores/document-search.store.js';
export { ExactChunkIndex } from './stores/exact-chunk-index.js';
export { DocumentViewStore, type ChunkView, type DocumentView } from './stores/document-view.store.js';
export {
  FileStore,
  listFilesQuery,
  type FileBounds,
  type FileCreation,
  type FileFilter,
  type FileView,
} from './stores/file.store.js';
export { findKnownBlobs } from './stores/known-blobs.js';
export { DocumentIngestionStore } from './stores/ingestion.store.js';
export { isIngestionOverdue } from './stores/overdue-ingestion.js';
export { type UsecaseType } from './entities/agent.entity.js';
export {
  AgentStore,
  type AgentChange,
  type AgentChangeOptions,
  type AgentCreation,
  type AgentFields,
  type AgentPage,
  type AgentView,
} from './stores/agent.store.js';
export {
  AgentVersionStore,
  type AgentVersionPage,
  type AgentVersionView,
} from './stores/agent-version.store.js';
export type { ExpectedVersions, Versioned, VersionedChange } from './stores/versioned.js';
export { MAX_PAGE_BYTES, type RowsOfPage } from './stores/bounded-page.js';
export { ApiKeyStore, type ApiKeyFilter, type StoredApiKey } from './stores/api-key.store.js';
export {
  ApiKeyChangesStore,
  type ApiKeyCreation,
  type ApiKeyReplacement,
  type ApiKeyRevocation,
  type ApiKeyRotation,
  type NewApiKey,
} from './stores/api-key-changes.store.js';
export { API_KEY_STATUSES, type ApiKeyStatus } from './entities/api-key.entity.js';
export type { ApiKeyView } from './stores/api-key-view.js';
export { BacklogStore } from './stores/backlog.store.js';
export { ExecutionClaimStore } from './stores/execution-claim.store.js';
export { ExecutionContextStore } from './stores/execution-context.store.js';
export { ExecutionEndings } from './stores/execution-endings.js';
export type { BirthOffer, BirthRoom, Births, OpenOffer, WorkerStanding } from './stores/webhook-births.js';
export { ExecutionWrites } from './stores/execution-writes.js';
export { ExecutionDispatchStore } from './stores/execution-dispatch.store.js';
export { ExecutionIntakeStore, expireIdempotencyKeys } from './stores/execution-intake.store.js';
export {
  expireKeptAnswers,
  KeptAnswerStore,
  type KeptAnswer,
  type KeyedRequest,
} from './stores/kept-answer.store.js';
export { listExecutionsQuery, type ExecutionFilter } from './stores/list-executions.js';
export { ExecutionTokenStore, type SealedTokens } from './stores/execution-token.store.js';
export { ExecutionStore, type RunStepPage, type RunStepView } from './stores/execution.store.js';
export { markRestored } from './stores/mark-restored.js';
export { readWorkOverview, type WorkOverview } from './stores/work-overview.js';
export { findUnderserved } from './stores/underserved-execution.js';
export { PostgresJournal } from './stores/postgres-journal.js';
export { expireRateLimits, RateLimitStore } from './stores/rate-limit.store.js';
export { isExtractionOverdue, PostgresExtractions } from './stores/memory-extraction.store.js';
export { listMemoriesQuery, PostgresMemories } from './stores/memory.store.js';
export { MessageLogStore, type LogMessageView, type LogPage } from './stores/message-log.store.js';
export { isSummaryOverdue, SessionSummaryStore } from './stores/session-summary.store.js';
export { isTitleOverdue, SessionTitleStore, type ClaimedTitle } from './stores/session-title.store.js';
export {
  eraseDeletedSessions,
  SessionChangesStore,
  type ErasableSession,
  type SessionChange,
  type SessionDeletion,
} from './stores/session-changes.store.js';
export {
  listSessionsQuery,
  SessionStore,
  type ChatMessageView,
  type MessagePage,
  type SessionFilter,
  type SessionView,
  type SummaryView,
} from './stores/session.store.js';
export type { ApplyStagedChange } from './stores/apply-staged.js';
export {
  USAGE_GROUPS,
  UsageStore,
  type UsageFilter,
  type UsageGroup,
  type UsageSum,
} from './stores/usage.store.js';
export { forgetIdleReceivers } from './stores/webhook-breaker.js';
export {
  WebhookDeliveryStore,
  type AttemptRecord,
  type DeliveryVerdict,
} from './stores/webhook-delivery.store.js';
export {
  WebhookDispatchStore,
  type DeliveryDispatchOptions,
  type DueDelivery,
} from './stores/webhook-dispatch.store.js';
export { WEBHOOK_DELIVERY_STATUSES } from './entities/webhook-delivery.entity.js';
export {
  listDeliveriesQuery,
  WebhookDeliveryLogStore,
  type WebhookAttemptView,
  type WebhookDeliveryView,
} from './stores/webhook-delivery-log.store.js';
export {
  MAX_WEBHOOK_ENDPOINTS,
  WebhookEndpointStore,
  type SealWebhookSecret,
  type WebhookEndpointView,
} from './stores/webhook-endpoint.store.js';
export {
  WebhookSigningSecretStore,
  type WebhookSigningSecretView,
} from './stores/webhook-signing-secret.store.js';
export { measurePool } from './measure-pool.js';
export { watchedConnections, type WatchedConnectionOptions } from './watched-connections.js';
export { DatasourceStore, type DatasourceFields, type DatasourceView } from './stores/datasource.store.js';
export {
  MAX_SKILLS,
  SkillStore,
  type SkillChange,
  type SkillFields,
  type SkillSummary,
  type SkillView,
} from './stores/skill.store.js';
export { findIdleSessions, type IdleSession } from './stores/idle-sessions.js';
export { TENANT_STATUSES } from './entities/tenant.entity.js';
export { SubmissionGroundsStore, type SubmissionGrounds } from './stores/submission-grounds.store.js';
export {
  ensureTenant,
  TENANT_ID,
  TenantStore,
  type TenantFields,
  type TenantView,
} from './stores/tenant.store.js';
export { KnownDatasources } from './stores/known-datasources.js';
export { QuestionAccounts, type AskingScope } from './stores/question-accounts.store.js';
export { ToolListingStore, type ListedTool, type ServerListing } from './stores/tool-listing.store.js';
export { CONNECTION_STATUSES, type ConnectionStatus } from './entities/connection.entity.js';
export { DomainSecretStore } from './stores/domain-secret.store.js';
export { BackgroundTaskStore, type ClaimedTask, type RecordTry } from './stores/background-task.store.js';
export { ConnectionGrantStore } from './stores/connection-grant.store.js';
export { resealRevocations, REVOKE_TOKENS } from './stores/order-revocations.js';
export { ConnectionStore, type ConnectionAttempt, type ConnectionView } from './stores/connection.store.js';
export { ToolServerOAuthStore } from './stores/tool-server-oauth.store.js';
export { ToolTrialStore, type ToolTrial } from './stores/tool-trial.store.js';
export { TOOL_SERVER_STATUSES } from './entities/tool-server.entity.js';
export {
  MAX_TOOL_SERVERS,
  ToolServerStore,
  type SealedToolServer,
  type ToolServerFields,
  type ToolServerFilter,
  type ToolServerView,
} from './stores/tool-server.store.js';
export { WebhookSecretStore } from './stores/webhook-secret.store.js';
export { seedAgents, type SeedAgent } from './stores/seed-agent.js';
export {
  LlmStore,
  type LlmDeletion,
  type LlmFields,
  type LlmView,
  type SealedKey,
  type SealKey,
} from './stores/llm.store.js';
export { ApprovalStore } from './stores/approval.store.js';
export {
  isDeliveryOverdue,
  isExecutionOverdue,
  type OverdueDeliveryOptions,
  type OverdueExecutionOptions,
} from './stores/overdue-work.js';
export { CancellationStore, findCancelled } from './stores/cancellation.store.js';
export type { ClaimedDelivery } from './stores/claimed-delivery.js';
export {
  reconnectPauseMs,
  findMissingWorkers,
  isAnyWorkerPresent,
  releaseDeadWorkers,
  WorkerPresence,
  type PresenceOptions,
} from './stores/worker-presence.js';
export { IndexVectors } from './vectors/index-vectors.js';
export { openChunkIndex } from './vectors/open-chunk-index.js';
export { PgvectorChunkIndex } from './vectors/pgvector-chunk-index.js';
export { prepareVectorIndexTable } from './vectors/vector-index-table.js';
export { PersistenceModule } from './persistence.module.js';
