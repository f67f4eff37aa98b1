import type { DataSource } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';
import { PREVIOUS_SECRET_LIFETIME } from './webhook-signing-secret.store.js';

export interface WebhookEndpointView {
  readonly id: number;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
  /** Until when requests are also signed with the secret before the last rotation; null when there was none. */
  readonly previous_secret_expires_at: string | null;
  /** Until when nothing is sent, since too many requests in a row have failed; null when all is well. */
  readonly paused_until: string | null;
  readonly created_at: string;
}

type EndpointRow = Omit<WebhookEndpointView, 'previous_secret_expires_at' | 'paused_until' | 'created_at'> & {
  readonly previous_secret_expires_at: Date | null;
  readonly paused_until: Date | null;
  readonly created_at: Date;
};

export interface WebhookEndpointFields {
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
}

/** Seals a secret for the endpoint with this id; the id is part of what the seal is bound to. */
export type SealWebhookSecret = (endpointId: number) => string;

/** Of one tenant: every ending is sent to each of them. */
export const MAX_WEBHOOK_ENDPOINTS = 20;

/** Webhook endpoints of one tenant, with their secrets sealed. A secret is shown once, by whoever made it. */
export class WebhookEndpointStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Answers null when the tenant has {@link MAX_WEBHOOK_ENDPOINTS} already. */
  async create(
    tenantId: string,
    { url, events }: Omit<WebhookEndpointFields, 'is_active'>,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointView | null> {
    return this.dataSource.transaction(async (manager) => {
      // By one after the other: what is counted below has to hold those that were made at the same time.
      const [reserved] = await queryRows<{ id: number }>(
        manager,
        `SELECT nextval(pg_get_serial_sequence('webhook_endpoint', 'id'))::int AS id,
                pg_advisory_xact_lock(hashtext('webhook_endpoint'), hashtext($1))::text AS locked`,
        [tenantId],
      );
      const id = reserved?.id ?? 0;
      const [row] = await queryRows<EndpointRow>(
        manager,
        `INSERT INTO webhook_endpoint (id, tenant_id, url, events, secret_sealed)
         SELECT $1, $2, $3, $4, $5
          WHERE (SELECT count(*) FROM webhook_endpoint WHERE tenant_id = $2) < $6
         RETURNING id, url, events, is_active, previous_secret_expires_at, created_at, NULL::timestamptz AS paused_until`,
        [id, tenantId, url, events, sealSecret(id), MAX_WEBHOOK_ENDPOINTS],
      );
      return row ? toView(row) : null;
    });
  }

  async list(
    tenantId: string,
    page: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<WebhookEndpointView>> {
    const rows = await readPage<EndpointRow>(this.dataSource, {
      select: `${SELECT} WHERE endpoint.tenant_id = $1 AND endpoint.id > $2`,
      parameters: [tenantId, page.afterId ?? 0],
      orderBy: 'id',
      limit: page.limit,
    });
    return mapRows(rows, toView);
  }

  async find(tenantId: string, id: number): Promise<WebhookEndpointView | null> {
    const sql = `${SELECT} WHERE endpoint.tenant_id = $1 AND endpoint.id = $2`;
    const [row] = await queryRows<EndpointRow>(this.dataSource, sql, [tenantId, id]);
    return row ? toView(row) : null;
  }

  /**
   * What is not given stays. A new URL, or one that is made active, is not blamed for what failed before. Answers null
   * when there is no such endpoint.
   */
  async update(
    tenantId: string,
    id: number,
    { url, events, is_active }: Partial<WebhookEndpointFields>,
  ): Promise<WebhookEndpointView | null> {
    await queryRows(
      this.dataSource,
      `WITH changed AS (
         UPDATE webhook_endpoint
            SET url = coalesce($3, url), events = coalesce($4, events), is_active = coalesce($5, is_active)
          WHERE tenant_id = $1 AND id = $2 RETURNING tenant_id, 'endpoint:' || id AS receiver
       )
       DELETE FROM webhook_breaker breaker USING changed
        WHERE breaker.tenant_id = changed.tenant_id AND breaker.receiver = changed.receiver
          AND ($3 IS NOT NULL OR $5) RETURNING breaker.receiver`,
      [tenantId, id, url ?? null, events ?? null, is_active ?? null],
    );
    return this.find(tenantId, id);
  }

  /** A new secret; the one before it goes on signing for a day. Answers null when there is no such endpoint. */
  async rotateSecret(
    tenantId: string,
    id: number,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointView | null> {
    await queryRows(
      this.dataSource,
      `UPDATE webhook_endpoint
          SET secret_sealed = $3, previous_secret_sealed = secret_sealed,
              previous_secret_expires_at = now() + interval '${PREVIOUS_SECRET_LIFETIME}'
        WHERE tenant_id = $1 AND id = $2 RETURNING id`,
      [tenantId, id, sealSecret(id)],
    );
    return this.find(tenantId, id);
  }

  /** Its deliveries go with it. Answers false when there is no such endpoint. */
  async delete(tenantId: string, id: number): Promise<boolean> {
    const sql = `DELETE FROM webhook_endpoint WHERE tenant_id = $1 AND id = $2 RETURNING id`;
    return (await queryRows(this.dataSource, sql, [tenantId, id])).length > 0;
  }
}

const SELECT = `
  SELECT endpoint.id, url, events, is_active, previous_secret_expires_at, endpoint.created_at,
         CASE WHEN breaker.paused_until > now() THEN breaker.paused_until END AS paused_until
    FROM webhook_endpoint endpoint
    LEFT JOIN webhook_breaker breaker
           ON breaker.tenant_id = endpoint.tenant_id AND breaker.receiver = 'endpoint:' || endpoint.id`;

function toView(row: EndpointRow): WebhookEndpointView {
  return {
    ...row,
    previous_secret_expires_at: row.previous_secret_expires_at?.toISOString() ?? null,
    paused_until: row.paused_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
