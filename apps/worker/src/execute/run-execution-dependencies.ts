import type { EventStream } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type {
  ApplyStagedChange,
  ClaimOptions,
  ExecutionClaimStore,
  ExecutionContextStore,
} from '#libs/persistence';
import type { ToolCatalogue } from '#libs/tooling';
import type { DataSource } from 'typeorm';
import type { FileDelivery } from './file-delivery.js';
import type { LeaseKeeper } from './lease-keeper.js';
import type { ModelFactory } from './model.factory.js';

/** Everything that running an execution touches; introduced to each other by the module. */
export interface RunExecutionDependencies {
  readonly dataSource: DataSource;
  readonly claims: ExecutionClaimStore;
  readonly contexts: ExecutionContextStore;
  readonly leases: LeaseKeeper;
  readonly tools: ToolCatalogue;
  readonly models: ModelFactory;
  readonly events: EventStream;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claimOptions: () => ClaimOptions;
  readonly applyStagedChange: ApplyStagedChange;
  readonly files: FileDelivery;
  /** How long a person may take to decide. */
  readonly approvalTimeoutMs: number;
  /** The attempt is over: the next of its session may run, webhooks may be due. */
  onEnded(): void;
}
