import type { EntityManager } from 'typeorm';
import { toWebhookBody, type ExecutionView, type WebhookEventType } from '#libs/payloads';
import { queryRows } from '../sql.js';

/** Begins with the time in milliseconds, so that deliveries are listed in the order of their ids. */
const DELIVERY_ID = `'evt_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
       || replace(gen_random_uuid()::text, '-', '')`;

/** The SQL expressions of whom to notify, and of what. */
interface NotificationSource {
  /** A part of the statement with a row for each execution: `id`, `tenant_id`, `type`, `body`. No row, no deliveries. */
  readonly of: string;
}

/**
 * Parts of a statement that notifies of any number of executions: one delivery per endpoint that asked for the event, and
 * one for the webhook of the execution itself, the body frozen byte for byte. The last part is `notified`. Endpoints are
 * locked as they are read: one that is being deleted is waited for, and one that is gone is not notified, rather than fail
 * the transaction by its foreign key.
 */
export function insertDeliveriesSql({ of }: NotificationSource): string {
  return `endpoint AS (
    SELECT id, tenant_id, events FROM webhook_endpoint
     WHERE tenant_id IN (SELECT tenant_id FROM ${of}) AND is_active
       AND events && ARRAY(SELECT type FROM ${of}) ORDER BY id FOR KEY SHARE
  ), wanted AS (
    SELECT ${of}.id, ${of}.tenant_id, ${of}.type, ${of}.body, endpoint.id AS endpoint_id, 'endpoint:' || endpoint.id AS receiver
      FROM ${of} JOIN endpoint ON endpoint.tenant_id = ${of}.tenant_id AND ${of}.type = ANY(endpoint.events)
    UNION ALL
    SELECT ${of}.id, ${of}.tenant_id, ${of}.type, ${of}.body, NULL, own.receiver
      FROM ${of} JOIN execution_webhook own ON own.execution_id = ${of}.id AND own.is_active AND ${of}.type = ANY(own.events)
  ), notified AS (
    INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, receiver, execution_id, type, body)
    SELECT ${DELIVERY_ID}, tenant_id, endpoint_id, receiver, id, type, body FROM wanted
    RETURNING id
  )`;
}

/** Notifies of one execution, in the caller's transaction. */
export async function insertDeliveries(
  manager: EntityManager,
  tenantId: string,
  type: WebhookEventType,
  view: ExecutionView,
  timestamp: string,
): Promise<void> {
  await queryRows(manager, NOTIFY_SQL, [view.id, tenantId, type, toWebhookBody(type, view, timestamp)]);
}

const NOTIFY_SQL = `
  WITH ended AS (SELECT $1::uuid AS id, $2::text AS tenant_id, $3::text AS type, $4::text AS body),
  ${insertDeliveriesSql({ of: 'ended' })}
  SELECT id FROM notified`;
