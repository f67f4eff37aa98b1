/** A secret of a tenant, by a name that begins with the domain's: `a-product/token`. */
export interface SecretName {
  readonly tenantId: string;
  readonly name: string;
}

/** Where domains keep secrets of tenants: sealed, and sealed anew with the other secrets of the service. */
export interface DomainSecrets<Manager> {
  /**
   * In the transaction of `manager`; null forgets it. Throws `ENCRYPTION_NOT_CONFIGURED` where there is no key to seal it
   * by.
   */
  keep(manager: Manager, secret: SecretName, text: string | null): Promise<void>;
  /** Null where there is none. Throws `SECRET_UNREADABLE`. */
  read(manager: Manager, secret: SecretName): Promise<string | null>;
}
