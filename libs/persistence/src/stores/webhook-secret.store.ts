import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/**
 * Answers a sealed text anew, or null when it is to stay as it is.
 *
 * @param endpointId null for the secret that signs the webhooks of a tenant's executions
 */
export type ResealWebhookSecret = (
  sealed: string,
  tenantId: string,
  endpointId: number | null,
) => string | null;

interface SecretRow {
  readonly endpoint_id: number | null;
  readonly tenant_id: string;
  readonly secret_sealed: string;
  readonly previous_secret_sealed: string | null;
}

/** Where the secrets are, and what distinguishes their rows: `owner`, as text. */
const TABLES = [
  { table: 'webhook_endpoint', endpointId: 'id', owner: 'id::text' },
  { table: 'webhook_signing_secret', endpointId: 'NULL::int', owner: 'tenant_id' },
] as const;
type SecretTable = (typeof TABLES)[number];

/** The sealed secrets of all webhooks, over all tenants: for whoever keeps the service. */
export class WebhookSecretStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Seals every secret anew that `reseal` answers a new text for. Answers how many. */
  async resealAll(reseal: ResealWebhookSecret): Promise<number> {
    let count = 0;
    for (const place of TABLES) count += await this.resealTable(place, reseal);
    return count;
  }

  /** Erases replaced secrets whose time is over. */
  async forgetExpired(): Promise<void> {
    for (const { table } of TABLES) {
      await queryRows(
        this.dataSource,
        `UPDATE ${table} SET previous_secret_sealed = NULL, previous_secret_expires_at = NULL
          WHERE previous_secret_expires_at < now() RETURNING tenant_id`,
      );
    }
  }

  private async resealTable(place: SecretTable, reseal: ResealWebhookSecret): Promise<number> {
    const rows = await queryRows<SecretRow & { readonly owner: string }>(
      this.dataSource,
      `SELECT ${place.owner} AS owner, ${place.endpointId} AS endpoint_id, tenant_id, secret_sealed, previous_secret_sealed
         FROM ${place.table} ORDER BY 1`,
    );
    let count = 0;
    for (const { owner, endpoint_id, tenant_id, secret_sealed, previous_secret_sealed } of rows) {
      for (const sealed of [secret_sealed, previous_secret_sealed]) {
        if (sealed === null) continue;
        count += await this.replace(place, owner, sealed, reseal(sealed, tenant_id, endpoint_id));
      }
    }
    return count;
  }

  /** Wherever the secret is by now: a rotation may have moved it meanwhile. */
  private async replace(
    { table, owner: column }: SecretTable,
    owner: string,
    sealed: string,
    resealed: string | null,
  ): Promise<number> {
    if (resealed === null) return 0;
    const done = await queryRows(
      this.dataSource,
      `UPDATE ${table}
          SET secret_sealed = CASE WHEN secret_sealed = $2 THEN $3 ELSE secret_sealed END,
              previous_secret_sealed =
                CASE WHEN previous_secret_sealed = $2 THEN $3 ELSE previous_secret_sealed END
        WHERE ${column} = $1 AND $2 IN (secret_sealed, previous_secret_sealed) RETURNING tenant_id`,
      [owner, sealed, resealed],
    );
    return done.length;
  }
}
