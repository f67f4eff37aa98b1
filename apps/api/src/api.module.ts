import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import { ModelCatalogue, modelProviders, ProviderRegistry } from '#libs/model-providers';
import type { Logger } from '#libs/observability';
import { BuiltinTools } from '#libs/tool-sources';
import { ToolCatalogue } from '#libs/tooling';
import { CheckAgent } from './agents/agents.checks.js';
import { RunMaxima } from './agents/run-maxima.js';
import { AgentsCommands } from './agents/agents.commands.js';
import {
  AgentChangesController,
  AgentsController,
  AgentVersionsController,
} from './agents/agents.controller.js';
import { AgentsQueries } from './agents/agents.queries.js';
import { ApiKeysCommands } from './api-keys/api-keys.commands.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysQueries } from './api-keys/api-keys.queries.js';
import { API_CONFIG } from './api.tokens.js';
import { connectionsCommandsProvider } from './connections/connections.commands.js';
import { ConnectionsController } from './connections/connections.controller.js';
import { ConnectionsQueries } from './connections/connections.queries.js';
import { domainControllers } from './domain-routes/domain-controllers.js';
import { routeFacilitiesProvider } from './domain-routes/route-facilities.js';
import { domains } from './domains.js';
import { ExecuteController } from './executions/execute.controller.js';
import { ExecutionEventsController } from './executions/execution-events.controller.js';
import {
  ApprovalsController,
  CancellationController,
  ExecutionsController,
  RetryController,
} from './executions/executions.controller.js';
import { executionProviders } from './executions/executions.providers.js';
import { EventConnections, WaitingSubmits } from './executions/held-requests.js';
import { StreamTokens } from './executions/stream-tokens.js';
import { StreamTokensController } from './executions/stream-tokens.controller.js';
import { CheckReadiness, HealthController } from './health/health.controller.js';
import { LiveRequests } from './http/open-requests.js';
import { problemFilterProvider } from './http/problem-details.filter.js';
import { KeyWatch } from './http/key-watch.js';
import { RequestAuthenticator } from './http/request-authenticator.js';
import { rateLimitProviders } from './http/request-limits.providers.js';
import { RequestValidationPipe } from './http/request-validation.js';
import { answerKeeperProvider } from './idempotency/answer-keeper.js';
import { credentialKeeperProvider } from './llms/credential-keeper.js';
import { CheckExtra } from './llms/llms.checks.js';
import { LlmsCommands } from './llms/llms.commands.js';
import { LlmChangesController, LlmsController } from './llms/llms.controller.js';
import { LlmsQueries } from './llms/llms.queries.js';
import { ValidateLlm } from './llms/validate-llm.js';
import { metricsProviders } from './metrics/metrics.providers.js';
import { ToolServersCommands } from './mcp-servers/mcp-servers.commands.js';
import { ToolServerChangesController, ToolServersController } from './mcp-servers/mcp-servers.controller.js';
import { ToolServersQueries } from './mcp-servers/mcp-servers.queries.js';
import { descriptionReaderProvider, serverConfigKeeperProvider } from './mcp-servers/server-config-keeper.js';
import { ModelsController } from './models/models.controller.js';
import { SessionsCommands } from './sessions/sessions.commands.js';
import { SessionChangesController, SessionsController } from './sessions/sessions.controller.js';
import { SessionsQueries } from './sessions/sessions.queries.js';
import { MemoriesCommands } from './memories/memories.commands.js';
import { MemoriesController } from './memories/memories.controller.js';
import { MemoriesQueries } from './memories/memories.queries.js';
import { DatasourcesCommands } from './datasources/datasources.commands.js';
import { DatasourcesController } from './datasources/datasources.controller.js';
import { DatasourcesQueries } from './datasources/datasources.queries.js';
import { DocumentEventsController } from './documents/document-events.controller.js';
import { SearchDatasource } from './datasources/search-datasource.js';
import { DocumentsController } from './documents/documents.controller.js';
import { documentProviders } from './documents/documents.providers.js';
import { FilesController } from './files/files.controller.js';
import { fileProviders } from './files/files.providers.js';
import { SkillsCommands } from './skills/skills.commands.js';
import { SkillsController } from './skills/skills.controller.js';
import { SkillsQueries } from './skills/skills.queries.js';
import { StrategiesController } from './strategies/strategies.controller.js';

import { storeProviders } from './storage/store.providers.js';
import { ownSurroundings, type Surroundings } from './surroundings.js';
import { TenantsCommands } from './tenants/tenants.commands.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { TenantsQueries } from './tenants/tenants.queries.js';
import { ToolsController } from './tools/tools.controller.js';
import { ToolsQueries } from './tools/tools.queries.js';
import { tryToolsProvider } from './tools/try-tools.js';
import { blobKeeperProvider } from './uploads/upload.providers.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageQueries } from './usage/usage.queries.js';
import { WebhookDeliveriesQueries } from './webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookDeliveriesCommands } from './webhook-deliveries/webhook-deliveries.commands.js';
import { WebhookDeliveriesController } from './webhook-deliveries/webhook-deliveries.controller.js';
import { WebhookEndpointsCommands } from './webhook-endpoints/webhook-endpoints.commands.js';
import { WebhookEndpointsQueries } from './webhook-endpoints/webhook-endpoints.queries.js';
import {
  WebhookEndpointChangesController,
  WebhookEndpointsController,
} from './webhook-endpoints/webhook-endpoints.controller.js';
import { webhookSecretKeeperProvider } from './webhook-endpoints/webhook-secret-keeper.js';
import { WebhookSigningSecretCommands } from './webhook-signing-secret/webhook-signing-secret.commands.js';
import { WebhookSigningSecretController } from './webhook-signing-secret/webhook-signing-secret.controller.js';

const controllers = [
  AgentsController,
  AgentChangesController,
  AgentVersionsController,
  MemoriesController,
  SkillsController,
  DatasourcesController,
  DocumentsController,
  DocumentEventsController,
  FilesController,
  TenantsController,
  ApiKeysController,
  LlmsController,
  LlmChangesController,
  ToolServersController,
  ToolServerChangesController,
  ToolsController,
  ConnectionsController,
  ModelsController,
  StrategiesController,
  ApprovalsController,
  CancellationController,
  RetryController,
  ExecuteController,
  ExecutionsController,
  ExecutionEventsController,
  StreamTokensController,
  SessionsController,
  SessionChangesController,
  WebhookEndpointsController,
  WebhookEndpointChangesController,
  WebhookDeliveriesController,
  WebhookSigningSecretController,
  UsageController,
  ...domainControllers(domains),
  HealthController,
];

const useCases: Provider[] = [
  ...[RunMaxima, CheckAgent, AgentsQueries, AgentsCommands],
  ...[MemoriesQueries, MemoriesCommands],
  ...[DatasourcesQueries, DatasourcesCommands, SearchDatasource],
  ...[SkillsQueries, SkillsCommands, TenantsQueries, TenantsCommands, ApiKeysQueries, ApiKeysCommands],
  ...[CheckExtra, LlmsQueries, LlmsCommands, ValidateLlm],
  ...[ToolServersQueries, ToolServersCommands, ToolsQueries, ConnectionsQueries],
  ...[SessionsQueries, SessionsCommands, CheckReadiness, StreamTokens],
  ...[WebhookEndpointsQueries, WebhookEndpointsCommands, WebhookSigningSecretCommands],
  ...[WebhookDeliveriesQueries, WebhookDeliveriesCommands],
  UsageQueries,
];

const http: Provider[] = [
  RequestAuthenticator,
  KeyWatch,
  LiveRequests,
  EventConnections,
  WaitingSubmits,
  answerKeeperProvider,
  { provide: APP_PIPE, useClass: RequestValidationPipe },
];

/** The API process: what it talks to, and what it answers. */
@Module({})
export class ApiModule {
  static forRoot(
    config: AppConfig,
    logger: Logger,
    surroundings: Surroundings = ownSurroundings(config, logger),
  ): DynamicModule {
    return {
      module: ApiModule,
      imports: [...surroundings],
      controllers,
      providers: [
        { provide: API_CONFIG, useValue: config },
        ...metricsProviders,
        ...storeProviders,
        ...executionProviders(logger),
        ...documentProviders(logger),
        blobKeeperProvider,
        ...fileProviders,
        credentialKeeperProvider,
        webhookSecretKeeperProvider,
        descriptionReaderProvider,
        serverConfigKeeperProvider,
        tryToolsProvider,
        connectionsCommandsProvider,
        routeFacilitiesProvider,
        { provide: ProviderRegistry, useValue: modelProviders },
        { provide: ModelCatalogue, useFactory: () => new ModelCatalogue(modelProviders) },
        {
          provide: ToolCatalogue,
          inject: [DataSource],
          // Workers run these tools; here only their names are looked at.
          useFactory: ({ manager }: DataSource) => new BuiltinTools(domains.tools({ manager })).catalogue,
        },
        ...useCases,
        ...rateLimitProviders(logger),
        ...http,
        problemFilterProvider(logger),
      ],
    };
  }
}
