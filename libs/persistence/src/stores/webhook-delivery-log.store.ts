import type { DataSource } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import type { WebhookDeliveryStatus } from '../entities/webhook-delivery.entity.js';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';

export interface WebhookDeliveryView {
  /** `evt_…`: the `webhook-id` of every attempt. */
  readonly id: string;
  /** Null when it goes to the URL that came with the execution. */
  readonly endpoint_id: number | null;
  /** Where the next request would go. */
  readonly url: string;
  readonly execution_id: string;
  readonly type: WebhookEventType;
  readonly status: WebhookDeliveryStatus;
  readonly attempt_count: number;
  readonly created_at: string;
  /** Not before, also since the receiver is paused. Null when nothing is sent any more. */
  readonly next_attempt_at: string | null;
  /** The last success. */
  readonly delivered_at: string | null;
}

export interface WebhookAttemptView {
  /** From 1; a number is missing where the sender died before it could report. */
  readonly number: number;
  /** Null when nobody answered; then `error` says why. */
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly attempted_at: string;
}

export interface WebhookDeliveryFilter {
  readonly endpointId?: number | undefined;
  readonly executionId?: string | undefined;
  readonly status?: WebhookDeliveryStatus | undefined;
  /** Only deliveries older than this one. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

export type Redelivery = 'accepted' | 'not_found' | 'endpoint_disabled';

type DeliveryRow = Omit<WebhookDeliveryView, 'created_at' | 'next_attempt_at' | 'delivered_at'> & {
  readonly created_at: Date;
  readonly next_attempt_at: Date | null;
  readonly delivered_at: Date | null;
};
type AttemptRow = Omit<WebhookAttemptView, 'attempted_at'> & { readonly attempted_at: Date };

/** What was sent to the endpoints of one tenant, and how that went. Neither secrets nor bodies. */
export class WebhookDeliveryLogStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list(tenantId: string, filter: WebhookDeliveryFilter): Promise<RowsOfPage<WebhookDeliveryView>> {
    const { endpointId, executionId, status, beforeId, limit } = filter;
    const rows = await readPage<DeliveryRow>(this.dataSource, {
      select: `${SELECT} WHERE delivery.tenant_id = $1
          AND ($2::int IS NULL OR endpoint_id = $2) AND ($3::uuid IS NULL OR delivery.execution_id = $3)
          AND ($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR delivery.id < $5)`,
      parameters: [tenantId, endpointId ?? null, executionId ?? null, status ?? null, beforeId ?? null],
      orderBy: 'id DESC',
      limit,
    });
    return mapRows(rows, toDeliveryView);
  }

  async find(tenantId: string, id: string): Promise<WebhookDeliveryView | null> {
    const sql = `${SELECT} WHERE delivery.tenant_id = $1 AND delivery.id = $2`;
    const [row] = await queryRows<DeliveryRow>(this.dataSource, sql, [tenantId, id]);
    return row ? toDeliveryView(row) : null;
  }

  /** In their order. */
  async listAttempts(tenantId: string, deliveryId: string): Promise<WebhookAttemptView[]> {
    const rows = await queryRows<AttemptRow>(
      this.dataSource,
      `SELECT number, status_code, error, duration_ms, attempted_at FROM webhook_attempt
        WHERE tenant_id = $1 AND delivery_id = $2 ORDER BY number`,
      [tenantId, deliveryId],
    );
    return rows.map((row) => ({ ...row, attempted_at: row.attempted_at.toISOString() }));
  }

  /**
   * Makes a delivery due at once, whatever became of it, with a schedule of its own; a pause of its receiver ends. Its id
   * and body stay. The webhook of an execution that answered 410 is taken for back.
   */
  async redeliver(tenantId: string, id: string): Promise<Redelivery> {
    const [row] = await queryRows<{ is_active: boolean }>(
      this.dataSource,
      `WITH found AS (
         SELECT delivery.id, coalesce(endpoint.is_active, true) AS is_active FROM webhook_delivery delivery
           LEFT JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
          WHERE delivery.tenant_id = $1 AND delivery.id = $2
       ), due AS (
         UPDATE webhook_delivery
            SET status = 'pending', next_attempt_at = now(), attempts_before_redelivery = attempt_count,
                dispatched_at = CASE WHEN lease_expires_at > now() THEN dispatched_at END
          WHERE id = (SELECT id FROM found WHERE is_active)
          RETURNING tenant_id, receiver, endpoint_id, execution_id
       ), webhook_is_back AS (
         UPDATE execution_webhook SET is_active = true FROM due
          WHERE due.endpoint_id IS NULL AND execution_webhook.execution_id = due.execution_id
       ), pause_ends AS (
         UPDATE webhook_breaker breaker SET paused_until = date_trunc('milliseconds', now()) FROM due
          WHERE breaker.tenant_id = due.tenant_id AND breaker.receiver = due.receiver AND breaker.paused_until > now()
       )
       SELECT is_active FROM found`,
      [tenantId, id],
    );
    if (!row) return 'not_found';
    return row.is_active ? 'accepted' : 'endpoint_disabled';
  }
}

const SELECT = `
  SELECT delivery.id, endpoint_id, coalesce(endpoint.url, own.url) AS url, delivery.execution_id, type, status,
         attempt_count, delivery.created_at, delivered_at,
         CASE WHEN status = 'pending' THEN greatest(next_attempt_at, breaker.paused_until) END AS next_attempt_at
    FROM webhook_delivery delivery
    LEFT JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
    LEFT JOIN execution_webhook own ON delivery.endpoint_id IS NULL AND own.execution_id = delivery.execution_id
    LEFT JOIN webhook_breaker breaker
           ON breaker.tenant_id = delivery.tenant_id AND breaker.receiver = delivery.receiver`;

function toDeliveryView(row: DeliveryRow): WebhookDeliveryView {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
  };
}
