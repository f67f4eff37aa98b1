import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import type { Logger } from '#libs/observability';
import { DomainTaskStore } from '#libs/persistence';
import { LONGEST_TRY_MS, type TaskDependencies } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import { domains } from '../domains.js';
import { defineJob } from '../jobs/define-job.js';
import { ToolServersModule } from '../tool-servers/tool-servers.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { OpenedSecrets } from './opened-secrets.js';
import { PerformTask } from './perform-task.js';

/** Jobs that may wait and run, of all tenants and of one. */
const WAITING = { queueTarget: 100, tenantTarget: 5 };

const MOST_READ_BYTES = 1_024 * 1_024;

/** Connections to servers that tasks call end with the worker. */
@Injectable()
class TaskServers implements OnApplicationShutdown {
  readonly client: GuardedClient;

  constructor(@Inject(WORKER_CONFIG) { privateToolHosts }: AppConfig) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

export const domainTaskJob = defineJob({
  queue: 'domain-task',
  concurrency: 10,
  providers: [TaskServers],
  imports: [ToolServersModule],
  inject: [DomainTaskStore, DataSource, OpenedSecrets, TaskServers, LOGGER],
  make: (
    store: DomainTaskStore,
    { manager }: DataSource,
    secrets: OpenedSecrets,
    { client }: TaskServers,
    logger: Logger,
  ) => {
    const performTask = new PerformTask({
      store,
      tasks: domains.tasks,
      ofTask: { manager, secrets, fetchFor: fetchOfTasks(client) },
      onTrouble: (err, { tenantId, taskId, kind, tryNumber }) =>
        logger.warn({ err, tenantId, taskId, kind, tryNumber }, 'a try of a task has failed'),
    });
    return ({ taskId }) => performTask.execute(taskId);
  },
  rows: {
    inject: [DomainTaskStore],
    make: (store: DomainTaskStore) => ({
      take: (_announced, redispatchAfterMs) => store.take({ ...WAITING, redispatchAfterMs }),
      requeue: (due) => store.requeue(due),
      isOverdue: (forMs) => store.isOverdue(forMs),
    }),
  },
});

function fetchOfTasks(client: GuardedClient): TaskDependencies<EntityManager>['fetchFor'] {
  return (tenantId) =>
    client.fetchFor({
      tenantId,
      headersTimeoutMs: LONGEST_TRY_MS,
      silenceMs: LONGEST_TRY_MS,
      mostReadBytes: MOST_READ_BYTES,
      mostRedirects: 0,
    });
}
