import type { OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import type { Logger } from '#libs/observability';
import { BackgroundTaskStore } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { LONGEST_TRY_MS, type TaskDependencies } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import { revokeTokensTask } from '../connections/revoke-tokens.task.js';
import { domains } from '../domains.js';
import { defineJob } from '../jobs/define-job.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { AuthorizationServers } from '../tool-servers/oauth.providers.js';
import { openedSecrets } from './opened-secrets.js';
import { PerformTask } from './perform-task.js';

/** Jobs that may wait and run, of all tenants and of one. */
const WAITING = { queueTarget: 100, tenantTarget: 5 };

const MOST_READ_BYTES = 1_024 * 1_024;

/** Connections to servers that tasks of domains call end with the worker. */
class TaskServers implements OnApplicationShutdown {
  readonly client: GuardedClient;

  constructor({ privateToolHosts }: Pick<AppConfig, 'privateToolHosts'>) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

export const backgroundTaskJob = defineJob({
  queue: 'background-task',
  concurrency: 10,
  providers: [
    {
      provide: TaskServers,
      inject: [WORKER_CONFIG],
      useFactory: (config: AppConfig) => new TaskServers(config),
    },
  ],
  inject: [DataSource, WORKER_CONFIG, TaskServers, AuthorizationServers, LOGGER],
  make: (
    dataSource: DataSource,
    config: AppConfig,
    { client }: TaskServers,
    authorizationServers: Pick<AuthorizationServers, 'client'>,
    logger: Logger,
  ) => {
    const { encryptionKey } = config;
    const box = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
    const performTask = new PerformTask({
      store: new BackgroundTaskStore(dataSource),
      tasks: [...domains.tasks, revokeTokensTask(box, authorizationServers.client)],
      ofTask: dependenciesOfTasks(dataSource, config, client),
      onTrouble: (err, { tenantId, taskId, kind, tryNumber }, isGivenUp) =>
        logger.warn(
          { err, tenantId, taskId, kind, tryNumber },
          isGivenUp ? 'a background task is given up' : 'a try of a background task has failed',
        ),
    });
    return ({ taskId }) => performTask.execute(taskId);
  },
  rows: (dataSource) => {
    const store = new BackgroundTaskStore(dataSource);
    return {
      take: (_announced, redispatchAfterMs) => store.take({ ...WAITING, redispatchAfterMs }),
      requeue: (due) => store.requeue(due),
      isOverdue: (forMs) => store.isOverdue(forMs),
    };
  },
});

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
