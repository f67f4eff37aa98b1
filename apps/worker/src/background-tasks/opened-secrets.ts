import { Injectable } from '@nestjs/common';
import { DomainSecretStore } from '#libs/persistence';
import { domainSecretPlace, SecretBox } from '#libs/secrets';
import type { DomainSecrets, SecretName } from '#libs/tooling';
import type { EntityManager } from 'typeorm';

/** Opens the secrets that domains store for tenants. */
@Injectable()
export class OpenedSecrets implements Pick<DomainSecrets<EntityManager>, 'read'> {
  constructor(
    private readonly store: DomainSecretStore,
    private readonly box: SecretBox,
  ) {}

  async read(manager: EntityManager, secret: SecretName): Promise<string | null> {
    const sealed = await this.store.read(manager, secret);
    return sealed === null ? null : this.box.open(sealed, domainSecretPlace(secret.tenantId, secret.name));
  }
}
