import type { Provider } from '@nestjs/common';
import { EventStream } from '#libs/agent-core';
import type { AppConfig } from '#libs/config';
import { AppError, systemClock } from '#libs/kernel';
import { AuditLog, ModelCatalogue, ModelHosts } from '#libs/model-providers';
import { warnRarely, type Logger } from '#libs/observability';
import { applyOrderRequestSaved, ORDER_REQUEST_SAVED, orderEntryTools } from '#libs/order-entry';
import {
  WorkerPresence,
  ExecutionClaimStore,
  ExecutionContextStore,
  findCancelled,
  isExecutionOverdue,
  PostgresJournal,
  type ApplyStagedChange,
} from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { ToolCatalogue } from '#libs/tooling';
import { DataSource } from 'typeorm';
import { DeliveryDispatcher, ExecutionDispatcher } from '../dispatch.providers.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { CatalogueToolInvoker } from './catalogue-tool-invoker.js';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { ExecuteProgress } from './execute.processor.js';
import { FileDelivery } from './file-delivery.js';
import { LeaseKeeper, type Heartbeat } from './lease-keeper.js';
import { OpenAiModelFactory } from './model.factory.js';
import type { RunExecutionDependencies } from './run-execution-dependencies.js';
import { RunExecution } from './run-execution.use-case.js';

const SUSPECT_AFTER_LOSSES = 2;
const MAX_ISOLATED_DEATHS = 2;

/** Token of the `RunExecutionDependencies`. */
export const RUN_EXECUTION_DEPENDENCIES = Symbol('what running an execution touches');

/** Everything that an execution needs, introduced to each other. */
export const executeProviders: Provider[] = [
  {
    provide: LeaseKeeper,
    inject: [WorkerPresence, WORKER_CONFIG, LOGGER],
    useFactory: (presence: WorkerPresence, config: AppConfig, logger: Logger) => {
      const claims = new ExecutionClaimStore(presence);
      const heartbeat: Heartbeat = {
        renew: (held, leaseMs) => claims.renew(held, leaseMs),
        findCancelled: (ids) => findCancelled(presence, ids),
      };
      const warn = warnRarely(logger, 'leases not renewed');
      const leases = new LeaseKeeper(heartbeat, config.execution.leaseMs, systemClock, warn);
      presence.onLost(() => {
        leases.fenceAll();
      });
      return leases;
    },
  },
  {
    provide: ToolCatalogue,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new ToolCatalogue(orderEntryTools(dataSource.manager)),
  },
  {
    provide: RUN_EXECUTION_DEPENDENCIES,
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
    ): RunExecutionDependencies => {
      const files = new FileDelivery(config.filesRoot);
      return {
        leases,
        events,
        logger,
        tools,
        claims: new ExecutionClaimStore(dataSource),
        contexts: new ExecutionContextStore(dataSource),
        journalOf: (claim, transactions) => new PostgresJournal(dataSource, claim, transactions),
        invokerOf: (claim, witness) => new CatalogueToolInvoker(tools, claim, files, logger, witness),
        models: modelFactory(config, logger),
        clock: systemClock,
        claimOptions: () => ({
          workerId: presence.workerId,
          leaseMs: config.execution.leaseMs,
          deadlineMs: config.execution.timeoutMs,
          suspectAfterLosses: SUSPECT_AFTER_LOSSES,
          maxIsolatedDeaths: MAX_ISOLATED_DEATHS,
          canIsolate: true,
          tenantShare: config.dispatch.tenantSlotShare,
        }),
        applyStagedChange,
        approvalTimeoutMs: config.execution.approvalTimeoutMs,
        onEnded: () => {
          executions.poke();
          deliveries.poke();
        },
      };
    },
  },
  {
    provide: ExecuteProgress,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, config: AppConfig) =>
      new ExecuteProgress(
        () => isExecutionOverdue(dataSource, { forMs: overdueAfter(config), ...config.dispatch }),
        config.worker.concurrency,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: RunExecution,
    inject: [RUN_EXECUTION_DEPENDENCIES],
    useFactory: (to: RunExecutionDependencies) => new RunExecution(to),
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
  return new OpenAiModelFactory(config.openai, secrets, new ModelCatalogue(), audit, new ModelHosts());
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
