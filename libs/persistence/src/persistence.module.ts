import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AgentVersionStore } from './stores/agent-version.store.js';
import { AgentStore } from './stores/agent.store.js';
import { ApiKeyChangesStore } from './stores/api-key-changes.store.js';
import { ApiKeyStore } from './stores/api-key.store.js';
import { ApprovalStore } from './stores/approval.store.js';
import { BacklogStore } from './stores/backlog.store.js';
import { CancellationStore } from './stores/cancellation.store.js';
import { ConnectionGrantStore } from './stores/connection-grant.store.js';
import { ConnectionStore } from './stores/connection.store.js';
import { DatasourceStore } from './stores/datasource.store.js';
import { DocumentChangesStore } from './stores/document-changes.store.js';
import { DocumentSearchStore } from './stores/document-search.store.js';
import { DocumentViewStore } from './stores/document-view.store.js';
import { DomainSecretStore } from './stores/domain-secret.store.js';
import { BackgroundTaskStore } from './stores/background-task.store.js';
import { ExecutionClaimStore } from './stores/execution-claim.store.js';
import { ExecutionContextStore } from './stores/execution-context.store.js';
import { ExecutionDispatchStore } from './stores/execution-dispatch.store.js';
import { ExecutionIntakeStore } from './stores/execution-intake.store.js';
import { ExecutionTokenStore } from './stores/execution-token.store.js';
import { ExecutionStore } from './stores/execution.store.js';
import { FileStore } from './stores/file.store.js';
import { DocumentIngestionStore } from './stores/ingestion.store.js';
import { KeptAnswerStore } from './stores/kept-answer.store.js';
import { KnownDatasources } from './stores/known-datasources.js';
import { LlmStore } from './stores/llm.store.js';
import { PostgresExtractions } from './stores/memory-extraction.store.js';
import { PostgresMemories } from './stores/memory.store.js';
import { MessageLogStore } from './stores/message-log.store.js';
import { RateLimitStore } from './stores/rate-limit.store.js';
import { SessionChangesStore } from './stores/session-changes.store.js';
import { SessionSummaryStore } from './stores/session-summary.store.js';
import { SessionTitleStore } from './stores/session-title.store.js';
import { SessionStore } from './stores/session.store.js';
import { SkillStore } from './stores/skill.store.js';
import { SubmissionGroundsStore } from './stores/submission-grounds.store.js';
import { TenantStore } from './stores/tenant.store.js';
import { ToolListingStore } from './stores/tool-listing.store.js';
import { ToolServerOAuthStore } from './stores/tool-server-oauth.store.js';
import { ToolServerStore } from './stores/tool-server.store.js';
import { ToolTrialStore } from './stores/tool-trial.store.js';
import { UsageStore } from './stores/usage.store.js';
import { WebhookDeliveryLogStore } from './stores/webhook-delivery-log.store.js';
import { WebhookDeliveryStore } from './stores/webhook-delivery.store.js';
import { WebhookDispatchStore } from './stores/webhook-dispatch.store.js';
import { WebhookEndpointStore } from './stores/webhook-endpoint.store.js';
import { WebhookSecretStore } from './stores/webhook-secret.store.js';
import { WebhookSigningSecretStore } from './stores/webhook-signing-secret.store.js';
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
  DatasourceStore,
  DocumentChangesStore,
  DocumentIngestionStore,
  DocumentSearchStore,
  DocumentViewStore,
  DomainSecretStore,
  BackgroundTaskStore,
  ExecutionClaimStore,
  ExecutionContextStore,
  ExecutionDispatchStore,
  ExecutionStore,
  ExecutionTokenStore,
  FileStore,
  IndexVectors,
  KeptAnswerStore,
  KnownDatasources,
  LlmStore,
  MessageLogStore,
  PostgresExtractions,
  PostgresMemories,
  RateLimitStore,
  SessionChangesStore,
  SessionStore,
  SessionSummaryStore,
  SessionTitleStore,
  SkillStore,
  SubmissionGroundsStore,
  TenantStore,
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
];

/** Provides every store to every module, on the `DataSource` of the process (`TypeOrmModule.forRoot`). */
@Module({})
export class PersistenceModule {
  /** @param dispatch limits of what {@link ExecutionIntakeStore} sends at once */
  static forRoot(dispatch: ConstructorParameters<typeof ExecutionIntakeStore>[1]): DynamicModule {
    const stores = STORES.map((Store) => ({
      provide: Store,
      inject: [DataSource],
      useFactory: (dataSource: DataSource): unknown => new Store(dataSource),
    }));
    const intake = {
      provide: ExecutionIntakeStore,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new ExecutionIntakeStore(dataSource, dispatch),
    };
    return {
      module: PersistenceModule,
      global: true,
      providers: [...stores, intake],
      exports: [...STORES, ExecutionIntakeStore],
    };
  }
}
