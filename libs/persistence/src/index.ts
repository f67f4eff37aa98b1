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
export { classifyDatabaseError, type DatabaseFailure, type DatabaseTrouble } from './database-failure.js';
export { configuredDataSource, createDataSource, type DatabaseOptions } from './data-source.js';
export { assertSessions } from './assert-sessions.js';
export { checkDatabaseAtStart } from './check-at-start.js';
export { assertMigrated, migrateDatabase, schemaDifferences, type AlsoMigrate } from './migrate-database.js';
export { withScratchDatabase } from './scratch-database.js';
export { DocumentChangesStore } from './knowledge/document-changes.store.js';
export { DocumentSearchStore, type AskedSearch } from './knowledge/document-search.store.js';
export { ExactChunkIndex } from './knowledge/exact-chunk-index.js';
export { DocumentViewStore, type ChunkView, type DocumentView } from './knowledge/document-view.store.js';
export {
  FileStore,
  listFilesQuery,
  type FileBounds,
  type FileCreation,
  type FileFilter,
  type FileView,
} from './resources/file.store.js';
export { findKnownBlobs } from './resources/known-blobs.js';
export { DocumentIngestionStore } from './knowledge/ingestion.store.js';
export { isIngestionOverdue } from './knowledge/overdue-ingestion.js';
export { type UsecaseType } from './entities/agent.entity.js';
export {
  AgentStore,
  type AgentChange,
  type AgentChangeOptions,
  type AgentCreation,
  type AgentFields,
  type AgentPage,
  type AgentView,
} from './resources/agent.store.js';
export {
  AgentVersionStore,
  type AgentVersionPage,
  type AgentVersionView,
} from './resources/agent-version.store.js';
export type { ExpectedVersions, Versioned, VersionedChange } from './rows/versioned.js';
export { MAX_PAGE_BYTES, type RowsOfPage } from './rows/bounded-page.js';
export { ApiKeyStore, type ApiKeyFilter, type StoredApiKey } from './resources/api-key.store.js';
export {
  ApiKeyChangesStore,
  type ApiKeyCreation,
  type ApiKeyReplacement,
  type ApiKeyRevocation,
  type ApiKeyRotation,
  type NewApiKey,
} from './resources/api-key-changes.store.js';
export {
  ConsoleSessionStore,
  expireConsoleSessions,
  type ConsoleSessionOwner,
  type ConsoleSessionView,
} from './resources/console-session.store.js';
export { API_KEY_STATUSES, type ApiKeyStatus } from './entities/api-key.entity.js';
export type { ApiKeyView } from './resources/api-key-view.js';
export { BacklogStore } from './executions/backlog.store.js';
export {
  CHANGES_SQL,
  ExecutionChangesStore,
  type ExecutionChanges,
  type ExecutionStanding,
} from './executions/execution-changes.store.js';
export { ExecutionClaimStore } from './executions/execution-claim.store.js';
export { ExecutionContextStore } from './executions/execution-context.store.js';
export { type ApplyStagedChange, ExecutionEndings } from './executions/execution-endings.js';
export type {
  InlineDeliveryOffer,
  InlineDeliveryRoom,
  InlineDeliveries,
  OpenOffer,
  WorkerStanding,
} from './webhooks/inline-deliveries.js';
export { ExecutionWrites } from './executions/execution-writes.js';
export { ExecutionDispatchStore } from './executions/execution-dispatch.store.js';
export {
  ExecutionAcceptanceStore,
  expireIdempotencyKeys,
  type OfferedWorkers,
} from './executions/execution-acceptance.store.js';
export { ExecutionAssignmentStore } from './executions/execution-assignment.store.js';
export {
  expireKeptAnswers,
  KeptAnswerStore,
  type KeptAnswer,
  type KeyedRequest,
} from './resources/kept-answer.store.js';
export {
  listExecutionsQuery,
  SEARCHED_INPUT_CHARACTERS,
  type ExecutionFilter,
} from './executions/list-executions.js';
export { ExecutionTokenStore, type SealedTokens } from './executions/execution-token.store.js';
export { ExecutionStore } from './executions/execution.store.js';
export { RunStepStore, type RunStepPage, type RunStepView } from './executions/run-step.store.js';
export { ATTEMPT_ENDS } from './executions/attempt-record.js';
export { type TimelineEntry } from './timeline/timeline-entry.js';
export { TIMELINE_FACTS_SQL } from './timeline/timeline-facts.js';
export { TimelineStore, type PlacedEntry } from './timeline/timeline.store.js';
export { tallyExecutions } from './executions/execution-tally.js';
export {
  OverviewStore,
  SETTLED_SQL,
  type OverviewWindow,
  type TallyRow,
  type UnderWay,
} from './executions/overview.store.js';
export { markRestored } from './executions/mark-restored.js';
export { readWorkOverview, type WorkOverview } from './executions/work-overview.js';
export { findUnderserved } from './executions/underserved-execution.js';
export { PostgresJournal } from './executions/postgres-journal.js';
export {
  MANAGED_KINDS,
  ManagedResourceStore,
  type ManagedKind,
  type ManagedResourceView,
} from './resources/managed-resource.store.js';
export type { Named } from './resources/hold-new-name.js';
export { expireRateLimits, RateLimitStore } from './resources/rate-limit.store.js';
export { isExtractionOverdue, PostgresExtractions } from './memory/memory-extraction.store.js';
export { listMemoriesQuery, PostgresMemories } from './memory/memory.store.js';
export { MessageLogStore, type LogMessageView, type LogPage } from './sessions/message-log.store.js';
export { isSummaryOverdue, SessionSummaryStore } from './sessions/session-summary.store.js';
export {
  isTitleOverdue,
  SessionTitleStore,
  type ClaimedTitle,
  type HeldTry,
} from './sessions/session-title.store.js';
export { eraseDeletedSessions, type ErasableSession } from './sessions/erase-deleted-sessions.js';
export {
  SessionChangesStore,
  type SessionChange,
  type SessionDeletion,
} from './sessions/session-changes.store.js';
export {
  listSessionsQuery,
  SessionStore,
  type ChatMessageView,
  type MessagePage,
  type SessionFilter,
  type SessionView,
  type SummaryView,
} from './sessions/session.store.js';
export { WorkspaceFileStore, type WorkspaceFileView } from './sessions/workspace-file.store.js';
export {
  USAGE_GROUPS,
  usageGrouping,
  UsageStore,
  type UsageFilter,
  type UsageGroup,
  type UsageSum,
} from './resources/usage.store.js';
export { forgetIdleReceivers } from './webhooks/webhook-breaker.js';
export {
  WebhookDeliveryStore,
  type AttemptRecord,
  type DeliveryVerdict,
} from './webhooks/webhook-delivery.store.js';
export {
  WebhookDispatchStore,
  type DeliveryDispatchOptions,
  type DueDelivery,
} from './webhooks/webhook-dispatch.store.js';
export type { StoredAnswer } from './entities/webhook-attempt.entity.js';
export { WEBHOOK_DELIVERY_STATUSES } from './entities/webhook-delivery.entity.js';
export {
  listDeliveriesQuery,
  WebhookDeliveryLogStore,
  type WebhookAttemptView,
  type WebhookDeliveryView,
} from './webhooks/webhook-delivery-log.store.js';
export {
  MAX_WEBHOOK_ENDPOINTS,
  WebhookEndpointStore,
  type SealWebhookSecret,
  type NewWebhookEndpoint,
  type WebhookEndpointView,
} from './webhooks/webhook-endpoint.store.js';
export {
  WebhookSigningSecretStore,
  type WebhookSigningSecretView,
} from './webhooks/webhook-signing-secret.store.js';
export { measurePool } from './measure-pool.js';
export { watchedConnections, type WatchedConnectionOptions } from './watched-connections.js';
export { DatasourceStore, type DatasourceFields, type DatasourceView } from './knowledge/datasource.store.js';
export {
  MAX_SKILLS,
  SkillStore,
  type SkillChange,
  type SkillFields,
  type SkillSummary,
  type SkillView,
} from './resources/skill.store.js';
export { findIdleSessions, type IdleSession } from './sessions/idle-sessions.js';
export { TENANT_STATUSES } from './entities/tenant.entity.js';
export { SubmissionGroundsStore, type SubmissionGrounds } from './executions/submission-grounds.store.js';
export {
  ensureTenant,
  TENANT_ID,
  TenantStore,
  type TenantFields,
  type TenantView,
} from './resources/tenant.store.js';
export { QuestionAccounts, type AskingScope } from './executions/question-accounts.store.js';
export { ToolListingStore, type ListedTool, type ServerListing } from './tools/tool-listing.store.js';
export { CONNECTION_STATUSES, type ConnectionStatus } from './entities/connection.entity.js';
export { DomainSecretStore } from './resources/domain-secret.store.js';
export { BackgroundTaskStore, type ClaimedTask, type RecordTry } from './resources/background-task.store.js';
export { ConnectionGrantStore } from './tools/connection-grant.store.js';
export { resealRevocations, REVOKE_TOKENS } from './tools/order-revocations.js';
export { ConnectionStore, type ConnectionAttempt, type ConnectionView } from './tools/connection.store.js';
export { ToolServerOAuthStore } from './tools/tool-server-oauth.store.js';
export { ToolTrialStore, type ToolTrial } from './tools/tool-trial.store.js';
export { TOOL_SERVER_STATUSES } from './entities/tool-server.entity.js';
export {
  MAX_TOOL_SERVERS,
  ToolServerStore,
  type SealedToolServer,
  type ToolServerFields,
  type ToolServerFilter,
  type ToolServerView,
} from './tools/tool-server.store.js';
export { WebhookSecretStore } from './webhooks/webhook-secret.store.js';
export { seedAgents, type SeedAgent, type SeedModel } from './resources/seed-agent.js';
export {
  LlmStore,
  type LlmDeletion,
  type LlmFields,
  type LlmView,
  type SealedKey,
  type SealKey,
} from './resources/llm.store.js';
export { ApprovalStore } from './executions/approval.store.js';
export {
  isDeliveryOverdue,
  isExecutionOverdue,
  type OverdueDeliveryOptions,
  type OverdueExecutionOptions,
} from './executions/overdue-work.js';
export { CancellationStore, findCancelled } from './executions/cancellation.store.js';
export type { ClaimedDelivery } from './webhooks/claimed-delivery.js';
export {
  reconnectPauseMs,
  findMissingWorkers,
  isAnyWorkerPresent,
  releaseDeadWorkers,
  WorkerPresence,
  type PresenceOptions,
} from './executions/worker-presence.js';
export { WorkerStore, type WorkerAddress, type WorkerView } from './executions/worker.store.js';
export type { ShownHost } from './entities/worker.entity.js';
export { IndexVectors } from './vectors/index-vectors.js';
export { openChunkIndex } from './vectors/open-chunk-index.js';
export { PgvectorChunkIndex } from './vectors/pgvector-chunk-index.js';
export { prepareVectorIndexTable } from './vectors/vector-index-table.js';
export { PersistenceModule } from './persistence.module.js';
