import type { FactoryProvider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  AgentStore,
  AgentVersionStore,
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
} from '#libs/persistence';

const STORES = [
  AgentStore,
  AgentVersionStore,
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
