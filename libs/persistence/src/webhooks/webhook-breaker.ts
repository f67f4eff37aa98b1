import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';

/** Pause of a receiver in milliseconds after consecutive failures; null while they are few. */
export type PauseAfter = (consecutiveFailures: number) => number | null;

/** Tenant and receiver. */
interface Receiver {
  readonly tenantId: string;
  readonly receiver: string;
}

/**
 * Counts a failure and pauses the receiver, in the caller's transaction. Requests begun before the last pause are
 * ignored.
 */
export async function countFailure(
  manager: EntityManager,
  { tenantId, receiver }: Receiver,
  begunAt: Date,
  pauseAfter: PauseAfter,
): Promise<void> {
  const [counted] = await queryRows<{ failures: number }>(
    manager,
    `INSERT INTO webhook_breaker AS known (tenant_id, receiver, consecutive_failures) VALUES ($1, $2, 1)
     ON CONFLICT (tenant_id, receiver) DO UPDATE SET consecutive_failures = known.consecutive_failures + 1
       WHERE known.paused_until IS NULL OR known.paused_until <= $3
     RETURNING consecutive_failures AS failures`,
    [tenantId, receiver, begunAt],
  );
  const pauseMs = counted === undefined ? null : pauseAfter(counted.failures);
  if (pauseMs === null) return;
  await queryRows(
    manager,
    `UPDATE webhook_breaker SET paused_until = date_trunc('milliseconds', now()) + $3 * interval '1 millisecond'
      WHERE tenant_id = $1 AND receiver = $2 RETURNING receiver`,
    [tenantId, receiver, pauseMs],
  );
}

/** Deletes the breakers of receivers without pending deliveries. */
export async function forgetIdleReceivers(dataSource: DataSource): Promise<void> {
  await queryRows(
    dataSource,
    `DELETE FROM webhook_breaker breaker WHERE NOT EXISTS (
       SELECT 1 FROM webhook_delivery delivery
        WHERE delivery.tenant_id = breaker.tenant_id AND delivery.receiver = breaker.receiver
          AND delivery.status = 'pending') RETURNING receiver`,
  );
}
