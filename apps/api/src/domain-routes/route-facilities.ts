import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { mayBeCalled } from '#libs/guarded-fetch';
import { DomainSecretStore, BackgroundTaskStore } from '#libs/persistence';
import { domainSecretPlace, SecretBox } from '#libs/secrets';
import type { DomainSecrets, BackgroundTask, RouteDependencies, SecretName, TaskOrders } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import { API_CONFIG } from '../api.tokens.js';
import { domains } from '../domains.js';

/** Dependencies of the routes of domains. */
@Injectable()
export class RouteFacilities implements RouteDependencies<EntityManager> {
  readonly manager: EntityManager;
  readonly tasks: TaskOrders<EntityManager>;
  readonly secrets: DomainSecrets<EntityManager>;
  readonly mayCall: RouteDependencies<EntityManager>['mayCall'];

  constructor(
    dataSource: DataSource,
    tasks: BackgroundTaskStore,
    secrets: DomainSecretStore,
    box: SecretBox,
    @Inject(API_CONFIG) { privateToolHosts }: Pick<AppConfig, 'privateToolHosts'>,
  ) {
    this.manager = dataSource.manager;
    this.tasks = taskOrders(tasks, domains.tasks);
    this.secrets = sealedSecrets(secrets, box);
    this.mayCall = (tenantId, url) => mayBeCalled(url, tenantId, privateToolHosts);
  }
}

/** Refuses task data that no domain's task of that kind could parse when it runs. */
function taskOrders(
  store: BackgroundTaskStore,
  known: readonly BackgroundTask<EntityManager>[],
): TaskOrders<EntityManager> {
  return {
    order: async (manager, task) => {
      const isReadable = known.some(
        ({ kind, data }) => kind === task.kind && data.safeParse(task.data).success,
      );
      if (!isReadable) throw new Error(`no domain performs a task "${task.kind}" with such data`);
      await store.order(manager, task);
    },
    hasten: (manager, { tenantId, kind }) => store.hasten(manager, tenantId, kind),
  };
}

function sealedSecrets(store: DomainSecretStore, box: SecretBox): DomainSecrets<EntityManager> {
  const placeOf = ({ tenantId, name }: SecretName) => domainSecretPlace(tenantId, name);
  return {
    keep: async (manager, secret, text) => {
      if (text === null) return store.keep(manager, secret, null);
      await store.keep(manager, secret, box.seal(text, placeOf(secret)));
    },
    read: async (manager, secret) => {
      const sealed = await store.read(manager, secret);
      if (sealed === null) return null;
      return box.open(sealed, placeOf(secret));
    },
  };
}
