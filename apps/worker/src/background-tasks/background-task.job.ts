import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import type { Logger } from '#libs/observability';
import { BackgroundTaskStore } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import { MAX_TRY_MS, type TaskDependencies } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import { revokeTokensTask } from '../connections/revoke-tokens.task.js';
import { domains } from '../domains.js';
import { defineJob } from '../jobs/define-job.js';
import { AuthorizationServers } from '../tool-servers/authorization-servers.js';
import { ToolServersModule } from '../tool-servers/tool-servers.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { OpenedSecrets } from './opened-secrets.js';
import { PerformTask } from './perform-task.js';

/** Maximum jobs queued or running, in total and per tenant. */
const WAITING = { queueTarget: 100, tenantTarget: 5 };

const MAX_READ_BYTES = 1_024 * 1_024;

/** Client for servers that domains' tasks call; closed with the worker. */
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

export const backgroundTaskJob = defineJob({
  queue: 'background-task',
  concurrency: 10,
  providers: [TaskServers],
  imports: [ToolServersModule],
  inject: [
    ...[BackgroundTaskStore, DataSource, OpenedSecrets, TaskServers],
    ...[SecretBox, AuthorizationServers, LOGGER],
  ],
  make: (
    store: BackgroundTaskStore,
    { manager }: DataSource,
    secrets: OpenedSecrets,
    { client }: TaskServers,
    box: SecretBox,
    authorizationServers: Pick<AuthorizationServers, 'client'>,
    logger: Logger,
  ) => {
    const performTask = new PerformTask({
      store,
      tasks: [...domains.tasks, revokeTokensTask(box, authorizationServers.client)],
      ofTask: { manager, secrets, fetchFor: fetchOfTasks(client) },
      onTrouble: (err, { tenantId, taskId, kind, tryNumber }, isGivenUp) =>
        logger.warn(
          { err, tenantId, taskId, kind, tryNumber },
          isGivenUp ? 'a background task is given up' : 'a background task failed and will be retried',
        ),
    });
    return ({ taskId }) => performTask.execute(taskId);
  },
  rows: {
    inject: [BackgroundTaskStore],
    make: (store: BackgroundTaskStore) => ({
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
      headersTimeoutMs: MAX_TRY_MS,
      silenceMs: MAX_TRY_MS,
      mostReadBytes: MAX_READ_BYTES,
      mostRedirects: 0,
    });
}
