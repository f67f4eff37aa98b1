import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AgentVersionStore } from './resources/agent-version.store.js';
import { AgentStore } from './resources/agent.store.js';
import { ApiKeyChangesStore } from './resources/api-key-changes.store.js';
import { ApiKeyStore } from './resources/api-key.store.js';
import { ApprovalStore } from './executions/approval.store.js';
import { BacklogStore } from './executions/backlog.store.js';
import { CancellationStore } from './executions/cancellation.store.js';
import { ConnectionGrantStore } from './tools/connection-grant.store.js';
import { ConnectionStore } from './tools/connection.store.js';
import { ConsoleSessionStore } from './resources/console-session.store.js';
import { DatasourceStore } from './knowledge/datasource.store.js';
import { DocumentChangesStore } from './knowledge/document-changes.store.js';
import { DocumentSearchStore } from './knowledge/document-search.store.js';
import { DocumentViewStore } from './knowledge/document-view.store.js';
import { DomainSecretStore } from './resources/domain-secret.store.js';
import { BackgroundTaskStore } from './resources/background-task.store.js';
import { ExecutionAssignmentStore } from './executions/execution-assignment.store.js';
import { ExecutionChangesStore } from './executions/execution-changes.store.js';
import { ExecutionClaimStore } from './executions/execution-claim.store.js';
import { ExecutionContextStore } from './executions/execution-context.store.js';
import { ExecutionDispatchStore } from './executions/execution-dispatch.store.js';
import { ExecutionTokenStore } from './executions/execution-token.store.js';
import { ExecutionStore } from './executions/execution.store.js';
import { FileStore } from './resources/file.store.js';
import { DocumentIngestionStore } from './knowledge/ingestion.store.js';
import { KeptAnswerStore } from './resources/kept-answer.store.js';
import { LlmStore } from './resources/llm.store.js';
import { ManagedResourceStore } from './resources/managed-resource.store.js';
import { OverviewStore } from './executions/overview.store.js';
import { PostgresExtractions } from './memory/memory-extraction.store.js';
import { PostgresMemories } from './memory/memory.store.js';
import { MessageLogStore } from './sessions/message-log.store.js';
import { RateLimitStore } from './resources/rate-limit.store.js';
import { RunStepStore } from './executions/run-step.store.js';
import { SessionChangesStore } from './sessions/session-changes.store.js';
import { SessionSummaryStore } from './sessions/session-summary.store.js';
import { SessionTitleStore } from './sessions/session-title.store.js';
import { SessionStore } from './sessions/session.store.js';
import { SkillStore } from './resources/skill.store.js';
import { SubmissionGroundsStore } from './executions/submission-grounds.store.js';
import { TenantStore } from './resources/tenant.store.js';
import { TimelineStore } from './timeline/timeline.store.js';
import { ToolListingStore } from './tools/tool-listing.store.js';
import { ToolServerOAuthStore } from './tools/tool-server-oauth.store.js';
import { ToolServerStore } from './tools/tool-server.store.js';
import { ToolTrialStore } from './tools/tool-trial.store.js';
import { UsageStore } from './resources/usage.store.js';
import { WebhookDeliveryLogStore } from './webhooks/webhook-delivery-log.store.js';
import { WebhookDeliveryStore } from './webhooks/webhook-delivery.store.js';
import { WebhookDispatchStore } from './webhooks/webhook-dispatch.store.js';
import { WebhookEndpointStore } from './webhooks/webhook-endpoint.store.js';
import { WebhookSecretStore } from './webhooks/webhook-secret.store.js';
import { WebhookSigningSecretStore } from './webhooks/webhook-signing-secret.store.js';
import { WorkerStore } from './executions/worker.store.js';
import { WorkspaceFileStore } from './sessions/workspace-file.store.js';
import { IndexVectors } from './vectors/index-vectors.js';

const STORES: readonly Type[] = [
  AgentStore,
  AgentVersionStore,
  ApiKeyChangesStore,
  ApiKeyStore,
  ApprovalStore,
  BacklogStore,
  CancellationStore,
  ConnectionGrantStore,
  ConnectionStore,
  ConsoleSessionStore,
  DatasourceStore,
  DocumentChangesStore,
  DocumentIngestionStore,
  DocumentSearchStore,
  DocumentViewStore,
  DomainSecretStore,
  BackgroundTaskStore,
  ExecutionAssignmentStore,
  ExecutionChangesStore,
  ExecutionClaimStore,
  ExecutionContextStore,
  ExecutionDispatchStore,
  ExecutionStore,
  ExecutionTokenStore,
  FileStore,
  IndexVectors,
  KeptAnswerStore,
  LlmStore,
  ManagedResourceStore,
  MessageLogStore,
  OverviewStore,
  PostgresExtractions,
  PostgresMemories,
  RateLimitStore,
  RunStepStore,
  SessionChangesStore,
  SessionStore,
  SessionSummaryStore,
  SessionTitleStore,
  SkillStore,
  SubmissionGroundsStore,
  TenantStore,
  TimelineStore,
  ToolListingStore,
  ToolServerOAuthStore,
  ToolServerStore,
  ToolTrialStore,
  UsageStore,
  WebhookDeliveryLogStore,
  WebhookDeliveryStore,
  WebhookDispatchStore,
  WebhookEndpointStore,
  WebhookSecretStore,
  WebhookSigningSecretStore,
  WorkerStore,
];

/** Provides every store to every module, on the `DataSource` of the process (`TypeOrmModule.forRoot`). */
@Module({})
export class PersistenceModule {
  /**
   * @param mostWorkspaceBytes maximum bytes of the files in all sessions of a tenant
   */
  static forRoot(mostWorkspaceBytes: number): DynamicModule {
    const stores = STORES.map((Store) => ({
      provide: Store,
      inject: [DataSource],
      useFactory: (dataSource: DataSource): unknown => new Store(dataSource),
    }));
    const workspaces = {
      provide: WorkspaceFileStore,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new WorkspaceFileStore(dataSource, mostWorkspaceBytes),
    };
    return {
      module: PersistenceModule,
      global: true,
      providers: [...stores, workspaces],
      exports: [...STORES, WorkspaceFileStore],
    };
  }
}
