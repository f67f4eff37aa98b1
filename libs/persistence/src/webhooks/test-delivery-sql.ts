import { WEBHOOK_TEST_TYPE } from '#libs/payloads';
import { DELIVERY_ID } from './webhook-outbox.js';

/** Test deliveries that an endpoint keeps; a new one deletes the oldest. */
const MAX_TEST_DELIVERIES = 20;

/**
 * Creates a test delivery that is due now for endpoint `$2` of tenant `$1`, unless the endpoint is inactive; ends a pause of
 * the endpoint. Returns a row if there is such an endpoint.
 */
export const CREATE_TEST_DELIVERY_SQL = `
  WITH endpoint AS MATERIALIZED (
    SELECT id, tenant_id, is_active, 'endpoint:' || id AS receiver FROM webhook_endpoint
     WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE
  ), created AS (
    INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, receiver, type, body)
    SELECT ${DELIVERY_ID}, tenant_id, id, receiver, '${WEBHOOK_TEST_TYPE}',
           format('{"type":"${WEBHOOK_TEST_TYPE}","timestamp":"%s","data":{"endpoint_id":%s}}',
                  to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), id)
      FROM endpoint WHERE is_active
    RETURNING id, tenant_id, receiver
  ), pause_ends AS (
    UPDATE webhook_breaker breaker SET paused_until = date_trunc('milliseconds', now()) FROM created
     WHERE breaker.tenant_id = created.tenant_id AND breaker.receiver = created.receiver AND breaker.paused_until > now()
  ), forgotten AS (
    DELETE FROM webhook_delivery WHERE id IN (
      SELECT delivery.id FROM webhook_delivery delivery
        JOIN endpoint ON endpoint.tenant_id = delivery.tenant_id AND endpoint.id = delivery.endpoint_id
       WHERE delivery.execution_id IS NULL AND endpoint.is_active
       ORDER BY delivery.id DESC OFFSET ${MAX_TEST_DELIVERIES - 1})
  )
  SELECT created.id FROM endpoint LEFT JOIN created ON true`;
