import type { FactoryProvider } from '@nestjs/common';
import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import {
  AgentStore,
  AgentVersionStore,
  ApiKeyChangesStore,
  ApiKeyStore,
  ApprovalStore,
  CancellationStore,
  ConnectionStore,
  ExecutionIntakeStore,
  ExecutionStore,
  FileStore,
  KeptAnswerStore,
  KnownDatasources,
  LlmStore,
  MessageLogStore,
  PostgresMemories,
  SessionChangesStore,
  SessionStore,
  DatasourceStore,
  DocumentChangesStore,
  DocumentSearchStore,
  DocumentViewStore,
  SkillStore,
  SubmissionGroundsStore,
  TenantStore,
  ToolListingStore,
  ToolServerStore,
  UsageStore,
  WebhookDeliveryLogStore,
  WebhookEndpointStore,
  WebhookSigningSecretStore,
  configuredDataSource,
} from '#libs/persistence';
import { API_CONFIG } from '../api.tokens.js';
import { domains } from '../domains.js';

/** The API's data source. Its statements filter by what a client asks for: one plan for all values would not do. */
export function databaseOptions({ database }: AppConfig, logger: Logger): TypeOrmModuleOptions {
  const { entities, migrations } = domains;
  const { poolSize } = database;
  return configuredDataSource(
    database,
    { applicationName: 'capstan-api', poolSize, hasGenericPlans: false, entities, migrations },
    (err) => logger.warn({ err }, 'database connection lost'),
  );
}

const STORES = [
  AgentStore,
  AgentVersionStore,
  ApiKeyChangesStore,
  ApiKeyStore,
  ApprovalStore,
  CancellationStore,
  ConnectionStore,
  ExecutionStore,
  FileStore,
  KeptAnswerStore,
  KnownDatasources,
  LlmStore,
  MessageLogStore,
  PostgresMemories,
  SessionChangesStore,
  SessionStore,
  DatasourceStore,
  DocumentChangesStore,
  DocumentSearchStore,
  DocumentViewStore,
  SkillStore,
  SubmissionGroundsStore,
  TenantStore,
  ToolListingStore,
  ToolServerStore,
  UsageStore,
  WebhookDeliveryLogStore,
  WebhookEndpointStore,
  WebhookSigningSecretStore,
];

/** Every store that the API asks, on the one data source of the process. */
export const storeProviders: FactoryProvider[] = [
  ...STORES.map((Store) => ({
    provide: Store,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new Store(dataSource),
  })),
  {
    provide: ExecutionIntakeStore,
    inject: [DataSource, API_CONFIG],
    useFactory: (dataSource: DataSource, { dispatch }: AppConfig) =>
      new ExecutionIntakeStore(dataSource, dispatch),
  },
];
