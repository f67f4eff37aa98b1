import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { resealRows, type Reseal, type SealedText } from '../rows/reseal-rows.js';

/** Owner of a secret; part of its seal. */
interface WebhookSecretOwner {
  readonly tenantId: string;
  /** Null for the secret that signs the webhooks of a tenant's executions. */
  readonly endpointId: number | null;
}

/** Tables with secrets, and their keys. */
const TABLES = [
  { table: 'webhook_endpoint', endpointId: 'id', ownKey: 'id' },
  { table: 'webhook_signing_secret', endpointId: 'NULL::int', ownKey: 'tenant_id' },
] as const;
type SecretTable = (typeof TABLES)[number];

/** Sealed secrets of all webhooks of all tenants, for operators. */
export class WebhookSecretStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Replaces each secret for which `reseal` returns a new text. Returns the number of replaced secrets. */
  async resealAll(reseal: Reseal<WebhookSecretOwner>): Promise<number> {
    let count = 0;
    for (const place of TABLES) count += await this.resealTable(place, reseal);
    return count;
  }

  /** Erases expired previous secrets. */
  async forgetExpired(): Promise<void> {
    for (const { table } of TABLES) {
      await queryRows(
        this.dataSource,
        `UPDATE ${table} SET previous_secret_sealed = NULL, previous_secret_expires_at = NULL
          WHERE previous_secret_expires_at < now() RETURNING tenant_id`,
      );
    }
  }

  /** Updates the secret in either column, because a rotation may have moved it in between. */
  private async resealTable(
    { table, endpointId, ownKey }: SecretTable,
    reseal: Reseal<WebhookSecretOwner>,
  ): Promise<number> {
    const rows = await queryRows<SealedText<WebhookSecretOwner>>(
      this.dataSource,
      `SELECT sealed, jsonb_build_object('tenantId', tenant_id, 'endpointId', ${endpointId}) AS owner
         FROM ${table} CROSS JOIN LATERAL (VALUES (1, secret_sealed), (2, previous_secret_sealed)) AS secret (place, sealed)
        WHERE sealed IS NOT NULL ORDER BY ${ownKey}, place`,
    );
    const replace = `
      UPDATE ${table}
         SET secret_sealed = CASE WHEN secret_sealed = $1 THEN $2 ELSE secret_sealed END,
             previous_secret_sealed = CASE WHEN previous_secret_sealed = $1 THEN $2 ELSE previous_secret_sealed END
       WHERE $1 IN (secret_sealed, previous_secret_sealed) AND ${ownKey} = $3 RETURNING tenant_id`;
    return resealRows(this.dataSource, rows, reseal, replace, (owner) => [
      owner.endpointId ?? owner.tenantId,
    ]);
  }
}
