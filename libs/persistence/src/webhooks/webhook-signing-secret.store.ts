import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** How long the secret before a rotation still signs. */
export const PREVIOUS_SECRET_LIFETIME = '24 hours';

export interface WebhookSigningSecretView {
  /** Until when requests are also signed with the secret before; null when there was none. */
  readonly previous_secret_expires_at: string | null;
}

/** What signs the webhooks that tenants name with their executions. A secret is shown once, by whoever made it. */
export class WebhookSigningSecretStore {
  constructor(private readonly dataSource: DataSource) {}

  /** The first secret of the tenant, or a new one; the one before it goes on signing for a day. */
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
