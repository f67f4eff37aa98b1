import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { delayAfterLossSql } from './due-execution.js';

export interface OverdueExecutionOptions {
  /** Minimum milliseconds that work must be due; younger work may be on its way. */
  readonly forMs: number;
  /** Maximum running executions per tenant; a tenant at this limit has no overdue work. */
  readonly tenantInFlightCap: number;
}

export interface OverdueDeliveryOptions {
  readonly forMs: number;
  /** Maximum concurrent requests per tenant; a tenant at this limit has no overdue work. */
  readonly tenantConcurrency: number;
}

/** Whether an execution has been runnable for `forMs` milliseconds without running, sent or not. */
export async function isExecutionOverdue(
  manager: Pick<DataSource, 'query'>,
  { forMs, tenantInFlightCap }: OverdueExecutionOptions,
): Promise<boolean> {
  const rows = await queryRows(manager, EXECUTION_SQL, [forMs, tenantInFlightCap]);
  return rows.length > 0;
}

/** Whether a webhook has been due for `forMs` milliseconds without a request in progress that it must wait for. */
export async function isDeliveryOverdue(
  manager: Pick<DataSource, 'query'>,
  { forMs, tenantConcurrency }: OverdueDeliveryOptions,
): Promise<boolean> {
  const rows = await queryRows(manager, DELIVERY_SQL, [forMs, tenantConcurrency]);
  return rows.length > 0;
}

const LONG_AGO = `now() - $1 * interval '1 millisecond'`;

const IS_UNSENT = `status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL`;
const WAITS_TOO_LONG = `head_since < ${LONG_AGO} AND (due_at IS NULL OR due_at < ${LONG_AGO})`;
const IS_FULL = `tenant_id = ANY(ARRAY(SELECT tenant_id FROM full_tenants))`;

// Runs often on every worker. Each part reads a partial index from its oldest entry, so that the cost does not grow with
// the backlog. Sent and running executions are few; of unsent ones, the first of each tenant below its limit suffices.
// The condition on `created_at` is redundant and selects the index.
const EXECUTION_SQL = `
  WITH RECURSIVE full_tenants AS MATERIALIZED (
    SELECT tenant_id FROM execution WHERE status = 'running' GROUP BY tenant_id HAVING count(*) >= $2
  ), tenants AS (
    (SELECT tenant_id FROM execution WHERE ${IS_UNSENT} ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT tenant_id FROM execution WHERE ${IS_UNSENT} AND tenant_id > before.tenant_id ORDER BY tenant_id LIMIT 1)
      FROM tenants before WHERE before.tenant_id IS NOT NULL
  ), unsent AS (
    SELECT 1 FROM tenants CROSS JOIN LATERAL (
      (SELECT 1 FROM execution
        WHERE ${IS_UNSENT} AND tenant_id = tenants.tenant_id AND due_at IS NULL AND created_at < ${LONG_AGO}
          AND head_since < ${LONG_AGO}
        ORDER BY due_at, created_at LIMIT 1)
      UNION ALL
      (SELECT 1 FROM execution
        WHERE ${IS_UNSENT} AND tenant_id = tenants.tenant_id AND due_at < ${LONG_AGO} AND head_since < ${LONG_AGO}
        ORDER BY due_at LIMIT 1)) oldest
     WHERE NOT ${IS_FULL}
  ), sent AS (
    SELECT 1 FROM execution
     WHERE dispatched_at IS NOT NULL AND status = 'queued' AND ${WAITS_TOO_LONG} AND NOT ${IS_FULL}
  ), lost AS (
    SELECT 1 FROM execution
     WHERE status = 'running' AND lease_expires_at < ${LONG_AGO} AND (due_at IS NULL OR due_at < ${LONG_AGO})
       AND lease_expires_at < ${LONG_AGO} - ${delayAfterLossSql('execution')} AND NOT ${IS_FULL}
  )
  SELECT 1 WHERE EXISTS (SELECT FROM sent) OR EXISTS (SELECT FROM lost) OR EXISTS (SELECT FROM unsent)`;

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
