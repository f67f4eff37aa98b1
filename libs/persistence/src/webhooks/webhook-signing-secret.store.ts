import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Time for which the previous secret still signs after a rotation. */
export const PREVIOUS_SECRET_LIFETIME = '24 hours';

export interface WebhookSigningSecretView {
  /** Time until which requests are also signed with the previous secret; null without one. */
  readonly previous_secret_expires_at: string | null;
}

/** Secrets that sign webhooks given with tenants' executions. The caller that creates a secret shows it once. */
export class WebhookSigningSecretStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates or rotates the tenant's secret; the previous one signs for another day. */
  async rotate(tenantId: string, secretSealed: string): Promise<WebhookSigningSecretView> {
    const [row] = await queryRows<{ expires_at: Date | null }>(
      this.dataSource,
      `INSERT INTO webhook_signing_secret AS known (tenant_id, secret_sealed) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE
         SET secret_sealed = excluded.secret_sealed, previous_secret_sealed = known.secret_sealed,
             previous_secret_expires_at = now() + interval '${PREVIOUS_SECRET_LIFETIME}'
       RETURNING previous_secret_expires_at AS expires_at`,
      [tenantId, secretSealed],
    );
    return { previous_secret_expires_at: row?.expires_at?.toISOString() ?? null };
  }
}
