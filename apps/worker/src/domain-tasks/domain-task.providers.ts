import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { systemClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { DomainTaskStore } from '#libs/persistence';
import { LONGEST_TRY_MS, type TaskDependencies } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import { domains } from '../domains.js';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { openedSecrets } from './opened-secrets.js';
import { TaskProgress } from './domain-task.processor.js';
import { PerformTask } from './perform-task.js';

/** Tasks of domains that one worker process tries at once. */
export const TASK_CONCURRENCY = 10;

const MOST_READ_BYTES = 1_024 * 1_024;

/** Connections to servers that tasks call end with the worker. */
class TaskServers implements OnApplicationShutdown {
  readonly client: GuardedClient;

  constructor({ privateToolHosts }: Pick<AppConfig, 'privateToolHosts'>) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

export const domainTaskProviders: Provider[] = [
  {
    provide: TaskServers,
    inject: [WORKER_CONFIG],
    useFactory: (config: AppConfig) => new TaskServers(config),
  },
  {
    provide: TaskProgress,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, config: AppConfig) =>
      new TaskProgress(
        () => new DomainTaskStore(dataSource).isOverdue(overdueAfter(config)),
        TASK_CONCURRENCY,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: PerformTask,
    inject: [DataSource, WORKER_CONFIG, TaskServers, LOGGER],
    useFactory: (dataSource: DataSource, config: AppConfig, { client }: TaskServers, logger: Logger) =>
      new PerformTask({
        store: new DomainTaskStore(dataSource),
        tasks: domains.tasks,
        ofTask: dependenciesOfTasks(dataSource, config, client),
        onTrouble: (err, { tenantId, taskId, kind, tryNumber }) =>
          logger.warn({ err, tenantId, taskId, kind, tryNumber }, 'a try of a task has failed'),
      }),
  },
];

function dependenciesOfTasks(
  dataSource: DataSource,
  config: Pick<AppConfig, 'encryptionKey'>,
  client: GuardedClient,
): TaskDependencies<EntityManager> {
  return {
    manager: dataSource.manager,
    secrets: openedSecrets(dataSource, config),
    fetchFor: (tenantId) =>
      client.fetchFor({
        tenantId,
        headersTimeoutMs: LONGEST_TRY_MS,
        silenceMs: LONGEST_TRY_MS,
        mostReadBytes: MOST_READ_BYTES,
        mostRedirects: 0,
      }),
  };
}
