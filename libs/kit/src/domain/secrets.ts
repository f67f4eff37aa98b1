import type { Database } from './database.js';

/** Secret of a tenant; its name begins with that of the domain: `parcels/token`. */
export interface SecretName {
  readonly tenantId: string;
  readonly name: string;
}

/** Encrypted secrets of tenants. `Handle` gives access to the database. */
export interface DomainSecrets<Handle = Database> {
  /** Stores a secret in the transaction of `database`; null deletes it. Throws if no encryption key is set. */
  keep(database: Handle, secret: SecretName, text: string | null): Promise<void>;
  /** Null if there is no such secret. */
  read(database: Handle, secret: SecretName): Promise<string | null>;
}
