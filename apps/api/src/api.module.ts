import { Module, type DynamicModule } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { PersistenceModule } from '#libs/persistence';
import { SecretsModule } from '#libs/secrets';
import { AgentsModule } from './agents/agents.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ManagedResourcesModule } from './by-name/by-name.module.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { ConsoleSessionsModule } from './console-sessions/console-sessions.module.js';
import { DatasourcesModule } from './datasources/datasources.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { DomainRoutesModule } from './domain-routes/domain-routes.module.js';
import { ExecutionsModule } from './executions/executions.module.js';
import { FilesModule } from './files/files.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { LlmsModule } from './llms/llms.module.js';
import { ToolServersModule } from './mcp-servers/mcp-servers.module.js';
import { MemoriesModule } from './memories/memories.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { ModelsModule } from './models/models.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { SessionFilesModule } from './session-files/session-files.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SettingsModule } from './settings.module.js';
import { SkillsModule } from './skills/skills.module.js';
import { StrategiesModule } from './strategies/strategies.module.js';
import { ownSurroundings, type Surroundings } from './surroundings.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { ToolsModule } from './tools/tools.module.js';
import { UsageModule } from './usage/usage.module.js';
import { WebhookDeliveriesModule } from './webhook-deliveries/webhook-deliveries.module.js';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.js';
import { WebhookSigningSecretModule } from './webhook-signing-secret/webhook-signing-secret.module.js';
import { WorkersModule } from './workers/workers.module.js';

/** One module for each resource, in the order of the OpenAPI document. */
const RESOURCES = [
  AgentsModule,
  MemoriesModule,
  SkillsModule,
  DatasourcesModule,
  DocumentsModule,
  FilesModule,
  TenantsModule,
  ApiKeysModule,
  ConsoleSessionsModule,
  LlmsModule,
  ToolServersModule,
  ToolsModule,
  ConnectionsModule,
  ManagedResourcesModule,
  ModelsModule,
  StrategiesModule,
  ExecutionsModule,
  SessionFilesModule,
  SessionsModule,
  WebhookEndpointsModule,
  WebhookDeliveriesModule,
  WebhookSigningSecretModule,
  UsageModule,
  OverviewModule,
  WorkersModule,
  DomainRoutesModule,
  HealthModule,
];

/** Root module of the API process. */
@Module({})
export class ApiModule {
  static forRoot(
    config: AppConfig,
    logger: Logger,
    surroundings: Surroundings = ownSurroundings(config, logger),
  ): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ...surroundings,
        SettingsModule.forRoot(config, logger),
        PersistenceModule.forRoot(config.mostWorkspaceBytes),
        SecretsModule.forRoot(config.encryptionKey),
        HttpModule,
        MetricsModule,
        ...RESOURCES,
      ],
    };
  }
}
