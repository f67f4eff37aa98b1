import type { DataSource } from 'typeorm';
import type { WebhookDeliveryType } from '#libs/payloads';
import { WebhookAttemptEntity, type StoredAnswer } from '../entities/webhook-attempt.entity.js';
import { WebhookDeliveryEntity, type WebhookDeliveryStatus } from '../entities/webhook-delivery.entity.js';
import { queryRows } from '../sql.js';
import { PLANNED_ANEW } from '../plan-settings.js';
import { mapRows, readPage, type PageQuery, type RowsOfPage } from '../rows/bounded-page.js';
import { CREATE_TEST_DELIVERY_SQL } from './test-delivery-sql.js';
import { madeWithin, type Bind, type MadeWithin } from '../rows/list-conditions.js';

export interface WebhookDeliveryView {
  /** `evt_…`: the `webhook-id` of every attempt. */
  readonly id: string;
  /** Null for the URL given with the execution. */
  readonly endpoint_id: number | null;
  /** URL of the next request. */
  readonly url: string;
  /** Null for a test event. */
  readonly execution_id: string | null;
  readonly type: WebhookDeliveryType;
  readonly status: WebhookDeliveryStatus;
  readonly attempt_count: number;
  readonly created_at: string;
  /** Earliest time of the next attempt, including a pause of the receiver. Null if there is none. */
  readonly next_attempt_at: string | null;
  /** Time of the last success. */
  readonly delivered_at: string | null;
}

export interface WebhookAttemptView {
  /** From 1; a number is missing if the sender died before it recorded the attempt. */
  readonly number: number;
  /** Null without a response; `error` then holds the reason. */
  readonly status_code: number | null;
  readonly error: string | null;
  /** Null without a body, and for attempts of older releases. */
  readonly answer: StoredAnswer | null;
  readonly duration_ms: number;
  readonly attempted_at: string;
}

export interface WebhookDeliveryFilter extends MadeWithin {
  readonly endpointId?: number | undefined;
  readonly executionId?: string | undefined;
  readonly statuses?: readonly WebhookDeliveryStatus[] | undefined;
  readonly types?: readonly WebhookDeliveryType[] | undefined;
  readonly isOldestFirst: boolean;
  /** Only deliveries after this one, in the requested order. */
  readonly lastId?: string | undefined;
  readonly limit: number;
}

export type Redelivery = 'accepted' | 'not_found' | 'endpoint_disabled';
/** The new delivery, or why there is none. */
export type TestDelivery = WebhookDeliveryView | 'not_found' | 'endpoint_disabled';

type DeliveryRow = Omit<WebhookDeliveryView, 'created_at' | 'next_attempt_at' | 'delivered_at'> & {
  readonly created_at: Date;
  readonly next_attempt_at: Date | null;
  readonly delivered_at: Date | null;
};

/**
 * Deliveries of one tenant and their attempts, without secrets. Deliveries are read in SQL, since a list is a
 * union with one branch for each status, which the query builder cannot say; a redelivery changes four tables in one
 * statement.
 */
export class WebhookDeliveryLogStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Ordered by id, i.e. by event. */
  async list(tenantId: string, filter: WebhookDeliveryFilter): Promise<RowsOfPage<WebhookDeliveryView>> {
    return mapRows(
      await readPage<DeliveryRow>(this.dataSource, listDeliveriesQuery(tenantId, filter)),
      toDeliveryView,
    );
  }

  async find(tenantId: string, id: string): Promise<WebhookDeliveryView | null> {
    const sql = `${SELECT} WHERE delivery.tenant_id = $1 AND delivery.id = $2`;
    const [row] = await queryRows<DeliveryRow>(this.dataSource, sql, [tenantId, id]);
    return row ? toDeliveryView(row) : null;
  }

  /** The exact text that is signed and sent; null for a delivery that is not there. */
  async findBody(tenantId: string, id: string): Promise<string | null> {
    const deliveries = this.dataSource.getRepository(WebhookDeliveryEntity);
    return (await deliveries.findOne({ where: { tenantId, id }, select: { body: true } }))?.body ?? null;
  }

  /** Attempts of a delivery, ordered by number. */
  async listAttempts(tenantId: string, deliveryId: string): Promise<WebhookAttemptView[]> {
    const where = { tenantId, deliveryId };
    const attempts = this.dataSource.getRepository(WebhookAttemptEntity);
    return (await attempts.find({ where, order: { number: 'ASC' } })).map(toAttemptView);
  }

  /**
   * Makes a delivery due at once with a new retry schedule, in any state; ends a pause of its receiver. Id and body stay.
   * An execution's webhook disabled by 410 is enabled again.
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

  /** Creates a delivery of a test event that is due at once, also if the endpoint names other events; ends its pause. */
  async createTest(tenantId: string, endpointId: number): Promise<TestDelivery> {
    const parameters = [tenantId, endpointId];
    const [row] = await queryRows<{ id: string | null }>(
      this.dataSource,
      CREATE_TEST_DELIVERY_SQL,
      parameters,
    );
    if (!row) return 'not_found';
    if (row.id === null) return 'endpoint_disabled';
    return (await this.find(tenantId, row.id)) ?? 'not_found';
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

/** Ids of deliveries, as the settling statement creates them. */
const EVENT_IDS = { type: 'text', toId: (uuid: string): string => `evt_${uuid}` };

/** One branch per status, so that each reads its partial index in order and stops early. Planned for the given values. */
export function listDeliveriesQuery(tenantId: string, filter: WebhookDeliveryFilter): PageQuery {
  const { endpointId, executionId, statuses, types, isOldestFirst, lastId, limit } = filter;
  const parameters: unknown[] = [];
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  const conditions = [`delivery.tenant_id = ${bind(tenantId, 'text')}`];
  if (endpointId !== undefined) conditions.push(`delivery.endpoint_id = ${bind(endpointId, 'int')}`);
  if (executionId !== undefined) conditions.push(`delivery.execution_id = ${bind(executionId, 'uuid')}`);
  if (types !== undefined) conditions.push(`delivery.type = ANY (${bind(types, 'text[]')})`);
  conditions.push(...madeWithin(filter, 'delivery', bind, EVENT_IDS));
  if (lastId !== undefined)
    conditions.push(`delivery.id ${isOldestFirst ? '>' : '<'} ${bind(lastId, 'text')}`);
  const orderBy = isOldestFirst ? 'id' : 'id DESC';
  const most = `${bind(limit, 'int')} + 1`;
  const branches = (statuses ?? [null]).map((status) => {
    const ofStatus = status === null ? '' : ` AND delivery.status = ${bind(status, 'text')}`;
    return `(${SELECT} WHERE ${conditions.join(' AND ')}${ofStatus} ORDER BY delivery.${orderBy} LIMIT ${most})`;
  });
  const union = branches.join(' UNION ALL ');
  return { select: `${PLANNED_ANEW} SELECT * FROM (${union}) found`, parameters, orderBy, limit };
}

function toDeliveryView(row: DeliveryRow): WebhookDeliveryView {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
  };
}

function toAttemptView(attempt: WebhookAttemptEntity): WebhookAttemptView {
  const { number, statusCode: status_code, error, answer, durationMs: duration_ms, attemptedAt } = attempt;
  return { number, status_code, error, answer, duration_ms, attempted_at: attemptedAt.toISOString() };
}
