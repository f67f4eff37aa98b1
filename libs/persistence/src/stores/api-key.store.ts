import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { ensureTenant } from './tenant.store.js';

export interface StoredApiKey {
  readonly tenantId: string;
  readonly secretSha256: string;
  readonly scopes: readonly string[];
}

export interface NewApiKey {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly secretSha256: string;
  readonly scopes: readonly string[];
}

export class ApiKeyStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By the public part of the key; null when unknown or revoked. */
  async find(id: string): Promise<StoredApiKey | null> {
    const [row] = await queryRows<{ tenant_id: string; secret_sha256: string; scopes: string[] }>(
      this.dataSource,
      `SELECT tenant_id, secret_sha256, scopes FROM api_key WHERE id = $1 AND revoked_at IS NULL`,
      [id],
    );
    return row ? { tenantId: row.tenant_id, secretSha256: row.secret_sha256, scopes: row.scopes } : null;
  }

  /** Its tenant is made where there is none yet. Throws `INVALID_TENANT` for an id that no tenant can have. */
  async create(key: NewApiKey): Promise<void> {
    await ensureTenant(this.dataSource, key.tenantId);
    await queryRows(
      this.dataSource,
      `INSERT INTO api_key (id, tenant_id, name, secret_sha256, scopes) VALUES ($1, $2, $3, $4, $5)`,
      [key.id, key.tenantId, key.name, key.secretSha256, key.scopes],
    );
  }
}
