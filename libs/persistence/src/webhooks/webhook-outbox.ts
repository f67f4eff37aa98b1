import { type ExecutionView, toWebhookBody, type WebhookEventType } from '#libs/payloads';
import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import {
  INLINE_DELIVERY_COLUMNS,
  type InlineDeliveries,
  type InlineDeliveryOffer,
  type InlineDeliveryRow,
  toInlineDeliveries,
} from './inline-deliveries.js';

/** SQL of a new delivery's id. It begins with the time in milliseconds, so that ids sort by creation. */
export const DELIVERY_ID = `'evt_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
       || replace(gen_random_uuid()::text, '-', '')`;

/** SQL expressions of the events to send and the offer. */
interface NotificationSource {
  /**
   * Part of the statement with `id`, `tenant_id`, `type` and `body` of each execution; without a row there are no
   * deliveries.
   */
  readonly of: string;
  /** Parameter: {@link InlineDeliveryOffer} as JSON; null without inline delivery. */
  readonly offer: string;
}

/**
 * Parts of a statement that creates deliveries for executions: one per endpoint that subscribes to the event, and one for
 * the execution's own webhook, with an immutable body. The last part, `notified`, has a row per delivery, see {@link
 * BirthRow}. Endpoints are locked when read: a concurrent deletion is waited for, and a deleted endpoint is skipped
 * instead of violating the foreign key.
 */
export function insertDeliveriesSql({ of, offer }: NotificationSource): string {
  return `endpoint AS (
    SELECT id, tenant_id, events, url, secret_sealed, previous_secret_sealed, previous_secret_expires_at FROM webhook_endpoint
     WHERE tenant_id IN (SELECT tenant_id FROM ${of}) AND is_active
       AND events && ARRAY(SELECT type FROM ${of}) ORDER BY id FOR KEY SHARE
  ), wanted AS MATERIALIZED (
    SELECT ${of}.id AS execution_id, ${of}.tenant_id, ${of}.type, ${of}.body, endpoint.id AS endpoint_id,
           'endpoint:' || endpoint.id AS receiver, endpoint.url, endpoint.secret_sealed,
           CASE WHEN endpoint.previous_secret_expires_at > now() THEN endpoint.previous_secret_sealed END AS previous_secret_sealed
      FROM ${of} JOIN endpoint ON endpoint.tenant_id = ${of}.tenant_id AND ${of}.type = ANY(endpoint.events)
    UNION ALL
    SELECT ${of}.id, ${of}.tenant_id, ${of}.type, ${of}.body, NULL, own.receiver, own.url, secret.secret_sealed,
           CASE WHEN secret.previous_secret_expires_at > now() THEN secret.previous_secret_sealed END
      FROM ${of} JOIN execution_webhook own ON own.execution_id = ${of}.id AND own.is_active AND ${of}.type = ANY(own.events)
      LEFT JOIN webhook_signing_secret secret ON secret.tenant_id = ${of}.tenant_id
  ), offered AS MATERIALIZED (
    SELECT given.*, standing.* FROM jsonb_to_record(${offer}::jsonb)
           AS given (sender text, room int, lease_ms int, tenant_concurrency int, newcomer_ms int)
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS workers, (count(*) FILTER (WHERE id < given.sender))::int AS place,
              bool_or(id = given.sender AND started_at < now() - given.newcomer_ms * interval '1 millisecond')
                OR (count(*) = 1 AND bool_or(id = given.sender)) AS is_known
         FROM worker WHERE places > 0) standing
     WHERE given.room > 0 AND EXISTS (SELECT 1 FROM wanted)
  ), roomy AS MATERIALIZED (
    SELECT tenant_id, receiver FROM offered CROSS JOIN (SELECT DISTINCT tenant_id, receiver FROM wanted) called
     WHERE CASE WHEN offered.is_known
                THEN has_room_for_webhook(tenant_id, receiver, offered.sender, offered.tenant_concurrency) END
  ), notified AS MATERIALIZED (
    SELECT ${DELIVERY_ID} AS id, wanted.*, offered.sender, offered.lease_ms, offered.workers, offered.place, now() AS now,
           roomy.receiver IS NOT NULL
             AND count(roomy.receiver) OVER (ROWS UNBOUNDED PRECEDING) <= offered.room AS is_born_leased
      FROM wanted LEFT JOIN offered ON true
      LEFT JOIN roomy ON roomy.tenant_id = wanted.tenant_id AND roomy.receiver = wanted.receiver
  ), inserted_deliveries AS (
    INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, receiver, execution_id, type, body, attempt_count, dispatched_at,
                                  created_at, lease_expires_at, sender)
    SELECT id, tenant_id, endpoint_id, receiver, execution_id, type, body, is_born_leased::int,
           CASE WHEN is_born_leased THEN now END, now,
           CASE WHEN is_born_leased THEN now + lease_ms * interval '1 millisecond' END,
           CASE WHEN is_born_leased THEN sender END
      FROM notified
  )`;
}

/** Creates the deliveries of one execution in the caller's transaction; returns those leased to this process. */
export async function insertDeliveries(
  manager: EntityManager,
  tenantId: string,
  type: WebhookEventType,
  view: ExecutionView,
  timestamp: string,
  offer: InlineDeliveryOffer | null = null,
): Promise<InlineDeliveries> {
  const body = toWebhookBody(type, view, timestamp);
  const rows = await queryRows<InlineDeliveryRow>(manager, NOTIFY_SQL, [
    view.id,
    tenantId,
    type,
    body,
    offer && JSON.stringify(offer),
  ]);
  return toInlineDeliveries(rows, () => body);
}

const NOTIFY_SQL = `
  WITH ended AS (SELECT $1::uuid AS id, $2::text AS tenant_id, $3::text AS type, $4::text AS body),
  ${insertDeliveriesSql({ of: 'ended', offer: '$5' })}
  SELECT ${INLINE_DELIVERY_COLUMNS} FROM notified`;
