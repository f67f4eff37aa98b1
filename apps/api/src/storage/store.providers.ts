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
  dataSourceOptions,
  ExecutionIntakeStore,
  ExecutionStore,
  LlmStore,
  MessageLogStore,
  SessionChangesStore,
  SessionStore,
  SkillStore,
  TenantStore,
  UsageStore,
  WebhookDeliveryLogStore,
  WebhookEndpointStore,
  WebhookSigningSecretStore,
} from '#libs/persistence';
import { domains } from '../domains.js';

/** The API's data source: one try to connect, since whoever starts the process sees the reason and starts it again. */
export function databaseOptions(config: AppConfig, logger: Logger): TypeOrmModuleOptions {
  return {
    ...dataSourceOptions({
      url: config.database.url,
      poolSize: config.database.poolSize,
      isPreparing: config.database.isPreparing,
      applicationName: 'capstan-api',
      queryTimeoutMs: config.database.queryTimeoutMs,
      pingEveryMs: config.database.pingEveryMs,
      entities: domains.entities,
      migrations: domains.migrations,
      onPoolError: (err) => logger.warn({ err }, 'database connection lost'),
    }),
    retryAttempts: 0,
  };
}

const STORES = [
  AgentStore,
  AgentVersionStore,
  ApiKeyChangesStore,
  ApiKeyStore,
  ApprovalStore,
  CancellationStore,
  ExecutionIntakeStore,
  ExecutionStore,
  LlmStore,
  MessageLogStore,
  SessionChangesStore,
  SessionStore,
  SkillStore,
  TenantStore,
  UsageStore,
  WebhookDeliveryLogStore,
  WebhookEndpointStore,
  WebhookSigningSecretStore,
];

/** Every store that the API asks, on the one data source of the process. */
export const storeProviders: FactoryProvider[] = STORES.map((Store) => ({
  provide: Store,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) => new Store(dataSource),
}));
