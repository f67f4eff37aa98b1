import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { retryDelaySql } from './due-execution.js';

export interface OverdueExecutionOptions {
  /** Work that is due for less may just be on its way. */
  readonly forMs: number;
  /** A tenant that has so many executions running has to wait; nobody is to blame for that. */
  readonly tenantInFlightCap: number;
}

export interface OverdueDeliveryOptions {
  readonly forMs: number;
  /** A tenant that has so many requests under way has to wait. */
  readonly tenantConcurrency: number;
}

/** Whether an execution could have been running for so long, and is not: whether it counts as sent says nothing. */
export async function isExecutionOverdue(
  manager: Pick<DataSource, 'query'>,
  { forMs, tenantInFlightCap }: OverdueExecutionOptions,
): Promise<boolean> {
  const rows = await queryRows(manager, EXECUTION_SQL, [forMs, tenantInFlightCap]);
  return rows.length > 0;
}

/** Whether a webhook could have been sent for so long, and nothing is under way to its receiver that it would wait for. */
export async function isDeliveryOverdue(
  manager: Pick<DataSource, 'query'>,
  { forMs, tenantConcurrency }: OverdueDeliveryOptions,
): Promise<boolean> {
  const rows = await queryRows(manager, DELIVERY_SQL, [forMs, tenantConcurrency]);
  return rows.length > 0;
}

const LONG_AGO = `now() - $1 * interval '1 millisecond'`;

const EXECUTION_SQL = `
  WITH full_tenants AS (
    SELECT tenant_id FROM execution WHERE status = 'running' GROUP BY tenant_id HAVING count(*) >= $2
  )
  SELECT 1 FROM execution
   WHERE ((status = 'queued' AND head_since < ${LONG_AGO})
          OR (status = 'running' AND lease_expires_at < ${LONG_AGO} - ${retryDelaySql('execution')}))
     AND (due_at IS NULL OR due_at < ${LONG_AGO})
     AND NOT tenant_id = ANY(ARRAY(SELECT tenant_id FROM full_tenants))
   LIMIT 1`;

const DELIVERY_SQL = `
  WITH under_way AS (
    SELECT tenant_id, receiver FROM webhook_delivery
     WHERE status = 'pending' AND dispatched_at IS NOT NULL AND lease_expires_at > now()
  ), full_tenants AS (
    SELECT tenant_id FROM under_way GROUP BY tenant_id HAVING count(*) >= $2
  )
  SELECT 1 FROM webhook_delivery delivery
   WHERE status = 'pending' AND next_attempt_at < ${LONG_AGO}
     AND NOT EXISTS (SELECT 1 FROM under_way
                      WHERE under_way.tenant_id = delivery.tenant_id AND under_way.receiver = delivery.receiver)
     AND NOT EXISTS (SELECT 1 FROM full_tenants WHERE full_tenants.tenant_id = delivery.tenant_id)
     AND NOT EXISTS (SELECT 1 FROM webhook_breaker breaker
                      WHERE breaker.tenant_id = delivery.tenant_id AND breaker.receiver = delivery.receiver
                        AND breaker.paused_until > ${LONG_AGO})
   LIMIT 1`;
