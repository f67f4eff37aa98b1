import type { FactoryProvider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { mayBeCalled, type PrivateHost } from '#libs/guarded-fetch';
import { AppError } from '#libs/kernel';
import { DomainSecretStore, DomainTaskStore } from '#libs/persistence';
import { domainSecretPlace, parseKeyring, SecretBox } from '#libs/secrets';
import type { DomainSecrets, DomainTask, RouteDependencies, SecretName, TaskOrders } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import { API_CONFIG } from '../api.tokens.js';
import { domains } from '../domains.js';

/** What the routes of domains work with. */
export class RouteFacilities implements RouteDependencies<EntityManager> {
  readonly manager: EntityManager;
  readonly tasks: TaskOrders<EntityManager>;
  readonly secrets: DomainSecrets<EntityManager>;
  readonly mayCall: RouteDependencies<EntityManager>['mayCall'];

  /** @param box null where no key for sealing is configured */
  constructor(
    dataSource: DataSource,
    known: readonly DomainTask<EntityManager>[],
    box: SecretBox | null,
    privateHosts: readonly PrivateHost[],
  ) {
    this.manager = dataSource.manager;
    this.tasks = taskOrders(new DomainTaskStore(dataSource), known);
    this.secrets = sealedSecrets(new DomainSecretStore(dataSource), box);
    this.mayCall = (tenantId, url) => mayBeCalled(url, tenantId, privateHosts);
  }
}

export const routeFacilitiesProvider: FactoryProvider<RouteFacilities> = {
  provide: RouteFacilities,
  inject: [DataSource, API_CONFIG],
  useFactory: (dataSource: DataSource, { encryptionKey, privateToolHosts }: AppConfig) => {
    const box = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
    return new RouteFacilities(dataSource, domains.tasks, box, privateToolHosts);
  },
};

/** What no task of that kind could read later is refused now. */
function taskOrders(
  store: DomainTaskStore,
  known: readonly DomainTask<EntityManager>[],
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

function sealedSecrets(store: DomainSecretStore, box: SecretBox | null): DomainSecrets<EntityManager> {
  const placeOf = ({ tenantId, name }: SecretName) => domainSecretPlace(tenantId, name);
  return {
    keep: async (manager, secret, text) => {
      if (text === null) return store.keep(manager, secret, null);
      if (box === null) throw cannotSeal();
      await store.keep(manager, secret, box.seal(text, placeOf(secret)));
    },
    read: async (manager, secret) => {
      const sealed = await store.read(manager, secret);
      if (sealed === null) return null;
      if (box === null) throw cannotSeal();
      return box.open(sealed, placeOf(secret));
    },
  };
}

function cannotSeal(): AppError {
  return new AppError({
    code: 'ENCRYPTION_NOT_CONFIGURED',
    kind: 'unprocessable',
    message: 'secrets cannot be kept: the server has no ENCRYPTION_KEY',
  });
}
