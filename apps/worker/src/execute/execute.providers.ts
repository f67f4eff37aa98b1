import { hostname } from 'node:os';
import type { Provider } from '@nestjs/common';
import { EventStream } from '#libs/agent-core';
import type { AppConfig } from '#libs/config';
import { AppError, systemClock } from '#libs/kernel';
import { AuditLog, ModelCatalogue } from '#libs/model-providers';
import { rateLimited, type Logger } from '#libs/observability';
import { applyOrderRequestSaved, ORDER_REQUEST_SAVED, orderEntryTools } from '#libs/order-entry';
import {
  WorkerPresence,
  CancellationStore,
  ExecutionClaimStore,
  ExecutionContextStore,
  type ApplyStagedChange,
} from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { ToolCatalogue } from '#libs/tooling';
import { DataSource } from 'typeorm';
import { DeliveryDispatcher, ExecutionDispatcher } from '../dispatch.providers.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { FileDelivery } from './file-delivery.js';
import { LeaseKeeper } from './lease-keeper.js';
import { OpenAiModelFactory } from './model.factory.js';
import { RunExecution } from './run-execution.use-case.js';

const MAX_LOST_ATTEMPTS = 3;

/** Everything that an execution needs, introduced to each other. */
export const executeProviders: Provider[] = [
  {
    provide: WorkerPresence,
    inject: [LeaseKeeper, WORKER_CONFIG, LOGGER],
    useFactory: (leases: LeaseKeeper, config: AppConfig, logger: Logger) =>
      new WorkerPresence({
        databaseUrl: config.database.url,
        processName: `${hostname()}-${process.pid}`,
        onLost: () => {
          leases.fenceAll();
        },
        onError: (err) => {
          logger.warn({ err }, 'presence connection trouble');
        },
      }),
  },
  {
    provide: LeaseKeeper,
    inject: [DataSource, WORKER_CONFIG, LOGGER],
    useFactory: (dataSource: DataSource, config: AppConfig, logger: Logger) => {
      const warn = rateLimited<unknown>(
        (err, suppressed) => logger.warn({ err, suppressed }, 'leases not renewed'),
        1_000,
        Date.now,
      );
      return new LeaseKeeper(
        new ExecutionClaimStore(dataSource),
        new CancellationStore(dataSource),
        config.execution.leaseMs,
        systemClock,
        warn,
      );
    },
  },
  {
    provide: ToolCatalogue,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new ToolCatalogue(orderEntryTools(dataSource.manager)),
  },
  {
    provide: RunExecution,
    inject: [
      DataSource,
      ToolCatalogue,
      LeaseKeeper,
      WorkerPresence,
      EventStream,
      ExecutionDispatcher,
      DeliveryDispatcher,
      WORKER_CONFIG,
      LOGGER,
    ],
    useFactory: (
      dataSource: DataSource,
      tools: ToolCatalogue,
      leases: LeaseKeeper,
      presence: WorkerPresence,
      events: EventStream,
      executions: ExecutionDispatcher,
      deliveries: DeliveryDispatcher,
      config: AppConfig,
      logger: Logger,
    ) =>
      new RunExecution({
        dataSource,
        tools,
        leases,
        events,
        logger,
        claims: new ExecutionClaimStore(dataSource),
        contexts: new ExecutionContextStore(dataSource),
        models: modelFactory(config, logger),
        clock: systemClock,
        claimOptions: () => ({
          workerId: presence.workerId,
          leaseMs: config.execution.leaseMs,
          deadlineMs: config.execution.timeoutMs,
          maxLostAttempts: MAX_LOST_ATTEMPTS,
        }),
        applyStagedChange,
        approvalTimeoutMs: config.execution.approvalTimeoutMs,
        files: new FileDelivery(config.filesRoot),
        onEnded: () => {
          executions.poke();
          deliveries.poke();
        },
      }),
  },
];

function modelFactory(config: AppConfig, logger: Logger): OpenAiModelFactory {
  const audit = new AuditLog({
    enabled: config.openai.isAudited,
    write: (line) => {
      logger.info(line);
    },
  });
  const secrets = config.encryptionKey === null ? null : new SecretBox(parseKeyring(config.encryptionKey));
  return new OpenAiModelFactory(config.openai, secrets, new ModelCatalogue(), audit);
}

/** Staged changes of the domain, by kind; a tool that stages something else is a mistake in this list. */
const applyStagedChange: ApplyStagedChange = async (manager, change, claim) => {
  if (change.kind === ORDER_REQUEST_SAVED) return applyOrderRequestSaved(manager, change, claim);
  throw new AppError({
    code: 'UNKNOWN_STAGED_CHANGE',
    kind: 'internal',
    message: `nobody applies "${change.kind}"`,
  });
};
