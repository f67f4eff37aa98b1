import type { EntityManager } from 'typeorm';
import { toWebhookBody, type ExecutionView, type WebhookEventType } from '#libs/payloads';
import { queryRows } from '../sql.js';

/** Begins with the time in milliseconds, so that deliveries are listed in the order of their ids. */
const DELIVERY_ID = `'evt_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
       || replace(gen_random_uuid()::text, '-', '')`;

/**
 * One delivery per endpoint that asked for the event, and one for the webhook of the execution itself, the body frozen
 * byte for byte; in the caller's transaction. Endpoints are locked as they are read: one that is being deleted is waited
 * for, and one that is gone is not notified, rather than fail the transaction by its foreign key.
 */
export async function insertDeliveries(
  manager: EntityManager,
  tenantId: string,
  type: WebhookEventType,
  view: ExecutionView,
  timestamp: string,
): Promise<void> {
  await queryRows(
    manager,
    `WITH endpoint AS (
       SELECT id FROM webhook_endpoint
        WHERE tenant_id = $1 AND is_active AND $3::text = ANY(events) ORDER BY id FOR KEY SHARE
     )
     INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, receiver, execution_id, type, body)
     SELECT ${DELIVERY_ID}, $1, endpoint_id, receiver, $2, $3::text, $4 FROM (
       SELECT id AS endpoint_id, 'endpoint:' || id AS receiver FROM endpoint
       UNION ALL
       SELECT NULL, receiver FROM execution_webhook
        WHERE execution_id = $2 AND is_active AND $3::text = ANY(events)
     ) notified`,
    [tenantId, view.id, type, toWebhookBody(type, view, timestamp)],
  );
}
