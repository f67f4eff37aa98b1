import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import { DomainSecretStore } from '#libs/persistence';
import { domainSecretPlace, parseKeyring, SecretBox } from '#libs/secrets';
import type { TaskDependencies } from '#libs/tooling';
import type { DataSource, EntityManager } from 'typeorm';

/** The secrets that domains keep for tenants, for those who do something with them. */
export function openedSecrets(
  dataSource: DataSource,
  { encryptionKey }: Pick<AppConfig, 'encryptionKey'>,
): TaskDependencies<EntityManager>['secrets'] {
  const box = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
  const store = new DomainSecretStore(dataSource);
  return {
    read: async (manager, secret) => {
      const sealed = await store.read(manager, secret);
      if (sealed === null) return null;
      if (box === null) throw unreadable();
      return box.open(sealed, domainSecretPlace(secret.tenantId, secret.name));
    },
  };
}

function unreadable(): AppError {
  return new AppError({
    code: 'SECRET_UNREADABLE',
    kind: 'internal',
    message: 'a stored secret cannot be read: ENCRYPTION_KEY is not set',
  });
}
