import type { EntityManager } from 'typeorm';
import { toWebhookBody, type ExecutionView, type WebhookEventType } from '#libs/payloads';
import { queryRows } from '../sql.js';

/** One delivery per endpoint that asked for the event, its body frozen byte for byte; in the caller's transaction. */
export async function insertDeliveries(
  manager: EntityManager,
  tenantId: string,
  type: WebhookEventType,
  view: ExecutionView,
  timestamp: string,
): Promise<void> {
  await queryRows(
    manager,
    `INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, execution_id, type, body)
     SELECT 'evt_' || gen_random_uuid(), $1, id, $2, $3::text, $4 FROM webhook_endpoint
      WHERE tenant_id = $1 AND is_active AND $3::text = ANY(events)`,
    [tenantId, view.id, type, toWebhookBody(type, view, timestamp)],
  );
}
