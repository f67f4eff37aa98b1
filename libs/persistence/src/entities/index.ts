import { AgentEntity } from './agent.entity.js';
import { AgentVersionEntity } from './agent-version.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { BlobDisposalEntity } from './blob-disposal.entity.js';
import { ChatMessageEntity } from './chat-message.entity.js';
import { ChatSessionEntity } from './chat-session.entity.js';
import { ChunkEntity } from './chunk.entity.js';
import { ConnectionEntity } from './connection.entity.js';
import { ConsoleSessionEntity } from './console-session.entity.js';
import { DatasourceEntity } from './datasource.entity.js';
import { DeletedSessionEntity } from './deleted-session.entity.js';
import { DocumentSearchEntity } from './document-search.entity.js';
import { DocumentEntity } from './document.entity.js';
import { DocumentIngestionEntity } from './document-ingestion.entity.js';
import { DomainSecretEntity } from './domain-secret.entity.js';
import { BackgroundTaskEntity } from './background-task.entity.js';
import { EmbeddingEntity } from './embedding.entity.js';
import { ExecutionEventEntity } from './execution-event.entity.js';
import { ExecutionTallyEntity } from './execution-tally.entity.js';
import { ExecutionTokenEntity } from './execution-token.entity.js';
import { ExecutionWebhookEntity } from './execution-webhook.entity.js';
import { ExecutionEntity } from './execution.entity.js';
import { FileEntity } from './file.entity.js';
import { ForgottenExecutorEntity } from './forgotten-executor.entity.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { JournalEntryEntity } from './journal-entry.entity.js';
import { KeptAnswerEntity } from './kept-answer.entity.js';
import { LateEvidenceEntity } from './late-evidence.entity.js';
import { LlmEntity } from './llm.entity.js';
import { MemoryEntity } from './memory.entity.js';
import { ManagedResourceEntity } from './managed-resource.entity.js';
import { MemoryExtractionEntity } from './memory-extraction.entity.js';
import { RateLimitEntity } from './rate-limit.entity.js';
import { RunStepEntity } from './run-step.entity.js';
import { SessionSummaryEntity } from './session-summary.entity.js';
import { SessionSummaryOrderEntity } from './session-summary-order.entity.js';
import { SessionTitleEntity } from './session-title.entity.js';
import { SkillEntity } from './skill.entity.js';
import { TenantEntity } from './tenant.entity.js';
import { ToolServerListingEntity } from './tool-server-listing.entity.js';
import { ToolServerEntity } from './tool-server.entity.js';
import { ToolServerOAuthEntity } from './tool-server-oauth.entity.js';
import { ToolTrialEntity } from './tool-trial.entity.js';
import { UnwantedMemoryEntity } from './unwanted-memory.entity.js';
import { UsageLogEntity } from './usage-log.entity.js';
import { VectorIndexEntity } from './vector-index.entity.js';
import { WebhookAttemptEntity } from './webhook-attempt.entity.js';
import { WebhookBreakerEntity } from './webhook-breaker.entity.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { WebhookSigningSecretEntity } from './webhook-signing-secret.entity.js';
import { WorkerEntity } from './worker.entity.js';
import { WorkspaceFileEntity } from './workspace-file.entity.js';
import { WorkspaceWriteEntity } from './workspace-write.entity.js';

/** Entities of the service itself, without domains. */
export const coreEntities = [
  AgentEntity,
  AgentVersionEntity,
  ApiKeyEntity,
  BlobDisposalEntity,
  ChatMessageEntity,
  ChatSessionEntity,
  ChunkEntity,
  ConnectionEntity,
  ConsoleSessionEntity,
  DatasourceEntity,
  DeletedSessionEntity,
  DocumentEntity,
  DocumentIngestionEntity,
  DocumentSearchEntity,
  DomainSecretEntity,
  BackgroundTaskEntity,
  EmbeddingEntity,
  ExecutionEntity,
  ExecutionEventEntity,
  ExecutionTallyEntity,
  ExecutionTokenEntity,
  ExecutionWebhookEntity,
  FileEntity,
  ForgottenExecutorEntity,
  IdempotencyKeyEntity,
  JournalEntryEntity,
  KeptAnswerEntity,
  LateEvidenceEntity,
  LlmEntity,
  MemoryEntity,
  ManagedResourceEntity,
  MemoryExtractionEntity,
  RateLimitEntity,
  RunStepEntity,
  SessionSummaryEntity,
  SessionSummaryOrderEntity,
  SessionTitleEntity,
  SkillEntity,
  TenantEntity,
  ToolServerEntity,
  ToolServerListingEntity,
  ToolServerOAuthEntity,
  ToolTrialEntity,
  UnwantedMemoryEntity,
  UsageLogEntity,
  VectorIndexEntity,
  WebhookAttemptEntity,
  WebhookBreakerEntity,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  WebhookSigningSecretEntity,
  WorkerEntity,
  WorkspaceFileEntity,
  WorkspaceWriteEntity,
];
