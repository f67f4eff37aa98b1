import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LoggerModule } from 'nestjs-pino';
import { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import { chooseEventStream, EventStreamModule } from '#libs/event-stream';
import { ModelCatalogue, modelProviders, ProviderRegistry } from '#libs/model-providers';
import { systemClock } from '#libs/kernel';
import { rateLimited, type Logger } from '#libs/observability';
import { poolOf, watchedConnections } from '#libs/persistence';
import { QueueModule } from '#libs/queue';
import { BuiltinTools } from '#libs/tool-sources';
import { ToolCatalogue } from '#libs/tooling';
import {
  AgentChangesController,
  AgentVersionsController,
  AgentsController,
} from './agents/agents.controller.js';
import { AgentsQueries } from './agents/agents.queries.js';
import { CheckAgent } from './agents/agents.checks.js';
import { AgentsCommands } from './agents/agents.commands.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { API_CONFIG } from './api.tokens.js';
import { CancellationController } from './cancellation/cancellation.controller.js';
import { ExecuteController } from './executions/execute.controller.js';
import { EventConnections } from './executions/event-connections.js';
import { ExecutionEventsController } from './executions/execution-events.controller.js';
import { ExecutionsController } from './executions/executions.controller.js';
import { executionProviders } from './executions/executions.providers.js';
import { WaitingSubmits } from './executions/waiting-submits.js';
import { CheckReadiness } from './health/check-readiness.use-case.js';
import { HealthController } from './health/health.controller.js';
import { RequestAuthenticator } from './http/request-authenticator.js';
import { LiveRequests } from './http/live-requests.js';
import { ProblemDetailsFilter } from './http/problem-details.filter.js';
import { rateLimitProviders } from './http/rate-limits/rate-limits.providers.js';
import { requestLogging } from './http/request-logging.js';
import { RequestValidationPipe } from './http/request-validation.pipe.js';
import { domains } from './domains.js';
import { domainControllers } from './domain-routes/domain-controllers.js';
import { ChangeLlm } from './llms/change-llm.use-case.js';
import { CheckExtra } from './llms/check-extra.js';
import { CreateLlm } from './llms/create-llm.use-case.js';
import { credentialKeeperProvider } from './llms/credential-keeper.js';
import { DeleteLlm } from './llms/delete-llm.use-case.js';
import { FindLlm } from './llms/find-llm.use-case.js';
import { ListLlms } from './llms/list-llms.use-case.js';
import { LlmChangesController } from './llms/llm-changes.controller.js';
import { LlmsController } from './llms/llms.controller.js';
import { ValidateLlm } from './llms/validate-llm.use-case.js';
import { ModelsController } from './models/models.controller.js';
import { RetryController } from './retry/retry.controller.js';
import { SessionChangesController } from './sessions/session-changes.controller.js';
import { SessionCommands } from './sessions/sessions.commands.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionQueries } from './sessions/sessions.queries.js';
import { SkillsCommands } from './skills/skills.commands.js';
import { SkillsController } from './skills/skills.controller.js';
import { SkillsQueries } from './skills/skills.queries.js';
import { StrategiesController } from './strategies/strategies.controller.js';
import { databaseOptions } from './storage/database-options.js';
import { storeProviders } from './storage/store.providers.js';
import { TenantsCommands } from './tenants/tenants.commands.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { TenantsQueries } from './tenants/tenants.queries.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageQueries } from './usage/usage.queries.js';
import { FindWebhookDelivery } from './webhook-deliveries/find-webhook-delivery.use-case.js';
import { ListWebhookDeliveries } from './webhook-deliveries/list-webhook-deliveries.use-case.js';
import { RedeliverWebhook } from './webhook-deliveries/redeliver-webhook.use-case.js';
import { WebhookDeliveriesController } from './webhook-deliveries/webhook-deliveries.controller.js';
import { ChangeWebhookEndpoint } from './webhook-endpoints/change-webhook-endpoint.use-case.js';
import { CreateWebhookEndpoint } from './webhook-endpoints/create-webhook-endpoint.use-case.js';
import { DeleteWebhookEndpoint } from './webhook-endpoints/delete-webhook-endpoint.use-case.js';
import { FindWebhookEndpoint } from './webhook-endpoints/find-webhook-endpoint.use-case.js';
import { ListWebhookEndpoints } from './webhook-endpoints/list-webhook-endpoints.use-case.js';
import { RotateWebhookSecret } from './webhook-endpoints/rotate-webhook-secret.use-case.js';
import { WebhookEndpointChangesController } from './webhook-endpoints/webhook-endpoint-changes.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints/webhook-endpoints.controller.js';
import { webhookSecretKeeperProvider } from './webhook-endpoints/webhook-secret-keeper.js';
import { RotateWebhookSigningSecret } from './webhook-signing-secret/rotate-webhook-signing-secret.use-case.js';
import { WebhookSigningSecretController } from './webhook-signing-secret/webhook-signing-secret.controller.js';

const WARN_EVERY_MS = 10_000;

const controllers = [
  AgentsController,
  AgentChangesController,
  AgentVersionsController,
  SkillsController,
  TenantsController,
  LlmsController,
  LlmChangesController,
  ModelsController,
  StrategiesController,
  ApprovalsController,
  CancellationController,
  RetryController,
  ExecuteController,
  ExecutionsController,
  ExecutionEventsController,
  SessionsController,
  SessionChangesController,
  WebhookEndpointsController,
  WebhookEndpointChangesController,
  WebhookDeliveriesController,
  WebhookSigningSecretController,
  UsageController,
  ...domainControllers(domains.routes),
  HealthController,
];

const useCases: Provider[] = [
  ...[CheckAgent, AgentsQueries, AgentsCommands, CheckExtra],
  ...[SkillsQueries, SkillsCommands, TenantsQueries, TenantsCommands],
  ...[ListLlms, FindLlm, CreateLlm, ChangeLlm, DeleteLlm, ValidateLlm],
  ...[SessionQueries, SessionCommands, CheckReadiness],
  ...[CreateWebhookEndpoint, ListWebhookEndpoints, FindWebhookEndpoint, DeleteWebhookEndpoint],
  ...[ChangeWebhookEndpoint, RotateWebhookSecret, RotateWebhookSigningSecret],
  ...[ListWebhookDeliveries, FindWebhookDelivery, RedeliverWebhook],
  UsageQueries,
];

const http: Provider[] = [
  RequestAuthenticator,
  LiveRequests,
  EventConnections,
  WaitingSubmits,
  { provide: APP_PIPE, useClass: RequestValidationPipe },
  { provide: APP_FILTER, useClass: ProblemDetailsFilter },
];

/** The API process: what it talks to, and what it answers. */
@Module({})
export class ApiModule {
  static forRoot(config: AppConfig, logger: Logger): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        LoggerModule.forRoot(requestLogging(logger)),
        TypeOrmModule.forRoot(databaseOptions(config, logger)),
        QueueModule.forRoot({
          redisUrl: config.redis?.url ?? null,
          databaseUrl: config.database.url,
          ...(config.redis && { silenceMs: config.redis.silenceMs }),
          connections: watchedConnections(config.database),
          onError: rateLimited(warnOfQueue(logger), WARN_EVERY_MS, () => systemClock.monotonic()),
        }),
        EventStreamModule.forRoot({
          inject: [DataSource],
          useFactory: (dataSource: DataSource) =>
            chooseEventStream(config, poolOf(dataSource), (message, details) => {
              logger.warn(details, message);
            }),
        }),
      ],
      controllers,
      providers: [
        { provide: API_CONFIG, useValue: config },
        ...storeProviders,
        ...executionProviders(logger),
        credentialKeeperProvider,
        webhookSecretKeeperProvider,
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
      ],
    };
  }
}

/** A queue that is away fails several times a second. */
function warnOfQueue(logger: Logger): (err: Error, suppressed: number) => void {
  return (err, suppressed) => logger.warn({ err, suppressed }, 'queue connection trouble');
}
