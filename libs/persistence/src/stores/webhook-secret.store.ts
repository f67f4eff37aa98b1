import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Answers a sealed text anew, or null when it is to stay as it is. */
export type ResealWebhookSecret = (sealed: string, tenantId: string, endpointId: number) => string | null;

interface SecretRow {
  readonly id: number;
  readonly tenant_id: string;
  readonly secret_sealed: string;
  readonly previous_secret_sealed: string | null;
}

/** The sealed secrets of all webhook endpoints, over all tenants: for whoever keeps the service. */
export class WebhookSecretStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Seals every secret anew that `reseal` answers a new text for. Answers how many. */
  async resealAll(reseal: ResealWebhookSecret): Promise<number> {
    const rows = await queryRows<SecretRow>(
      this.dataSource,
      `SELECT id, tenant_id, secret_sealed, previous_secret_sealed FROM webhook_endpoint ORDER BY id`,
    );
    let count = 0;
    for (const row of rows) {
      const { id, tenant_id, previous_secret_sealed: previous } = row;
      count += await this.replace(id, row.secret_sealed, reseal(row.secret_sealed, tenant_id, id));
      if (previous !== null) count += await this.replace(id, previous, reseal(previous, tenant_id, id));
    }
    return count;
  }

  /** Erases replaced secrets whose time is over. */
  async forgetExpired(): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE webhook_endpoint SET previous_secret_sealed = NULL, previous_secret_expires_at = NULL
        WHERE previous_secret_expires_at < now() RETURNING id`,
    );
  }

  /** Wherever the secret is by now: a rotation may have moved it meanwhile. */
  private async replace(id: number, sealed: string, resealed: string | null): Promise<number> {
    if (resealed === null) return 0;
    const done = await queryRows(
      this.dataSource,
      `UPDATE webhook_endpoint
          SET secret_sealed = CASE WHEN secret_sealed = $2 THEN $3 ELSE secret_sealed END,
              previous_secret_sealed =
                CASE WHEN previous_secret_sealed = $2 THEN $3 ELSE previous_secret_sealed END
        WHERE id = $1 AND $2 IN (secret_sealed, previous_secret_sealed) RETURNING id`,
      [id, sealed, resealed],
    );
    return done.length;
  }
}
