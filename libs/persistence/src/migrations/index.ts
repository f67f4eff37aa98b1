import { CreateSchema1764000000000 } from './1764000000000-create-schema.js';
import { BackgroundTask1764000000078 } from './1764000000078-background-task.js';
import { Timeline1764000000079 } from './1764000000079-timeline.js';
import { ConsoleSession1764000000080 } from './1764000000080-console-session.js';
import { ShownWorkers1764000000081 } from './1764000000081-shown-workers.js';
import { ExecutionFilters1764000000082 } from './1764000000082-execution-filters.js';
import { ExecutionTally1764000000083 } from './1764000000083-execution-tally.js';
import { TestDeliveriesAndHosts1764000000084 } from './1764000000084-test-deliveries-and-hosts.js';
import { WorkspaceFiles1764000000085 } from './1764000000085-workspace-files.js';
import { ManagedResources1764000000086 } from './1764000000086-managed-resources.js';
import { NamedWebhookEndpoints1764000000087 } from './1764000000087-named-webhook-endpoints.js';
import { MigrationChecksums1764000000088 } from './1764000000088-migration-checksums.js';
import { WebhookAnswers1764000000090 } from './1764000000090-webhook-answers.js';
import { WorkspaceUse1764000000091 } from './1764000000091-workspace-use.js';
import { TitleFallback1764000000092 } from './1764000000092-title-fallback.js';
import { EventsAsWritten1764000000093 } from './1764000000093-events-as-written.js';
import { FewerIndexEntries1764000000094 } from './1764000000094-fewer-index-entries.js';
import { AssignedExecutions1764000000095 } from './1764000000095-assigned-executions.js';
import { BoundedShares1764000000096 } from './1764000000096-bounded-shares.js';

/** In their order. A migration that has landed is never edited. */
export const coreMigrations = [
  CreateSchema1764000000000,
  BackgroundTask1764000000078,
  Timeline1764000000079,
  ConsoleSession1764000000080,
  ShownWorkers1764000000081,
  ExecutionFilters1764000000082,
  ExecutionTally1764000000083,
  TestDeliveriesAndHosts1764000000084,
  WorkspaceFiles1764000000085,
  ManagedResources1764000000086,
  NamedWebhookEndpoints1764000000087,
  MigrationChecksums1764000000088,
  WebhookAnswers1764000000090,
  WorkspaceUse1764000000091,
  TitleFallback1764000000092,
  EventsAsWritten1764000000093,
  FewerIndexEntries1764000000094,
  AssignedExecutions1764000000095,
  BoundedShares1764000000096,
];
