/** A tenant's secret; the name begins with the domain's name: `a-product/token`. */
export interface SecretName {
  readonly tenantId: string;
  readonly name: string;
}

/** Encrypted secrets of tenants, stored by domains; re-encrypted together with the service's other secrets. */
export interface DomainSecrets<Manager> {
  /**
   * Stores a secret in the transaction of `manager`; null deletes it. Throws `ENCRYPTION_NOT_CONFIGURED` if no
   * encryption key is set.
   */
  keep(manager: Manager, secret: SecretName, text: string | null): Promise<void>;
  /** Null if there is no such secret. Throws `SECRET_UNREADABLE`. */
  read(manager: Manager, secret: SecretName): Promise<string | null>;
}
