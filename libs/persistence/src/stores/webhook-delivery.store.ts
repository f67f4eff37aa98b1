import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** A delivery whose time has come. */
export interface DueDelivery {
  readonly id: string;
  /** How many attempts there were: names the job, so that a job sent twice is one job. */
  readonly attempt: number;
}

/** A delivery that this process may send now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly endpointId: number;
  readonly url: string;
  readonly secretSealed: string;
  /** What the secret replaced, as long as it still signs. */
  readonly previousSecretSealed: string | null;
  readonly body: string;
  /** From 1, over the whole life of the delivery. */
  readonly attempt: number;
  /** From 1 again after every redelivery: where the schedule is. */
  readonly scheduledAttempt: number;
  /** The database's clock: the `webhook-timestamp` of this attempt. */
  readonly now: Date;
}

export type DeliveryVerdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' }
  /** The receiver said that it is gone for good (410). */
  | { readonly kind: 'endpoint_disabled' };

export interface AttemptRecord {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

interface ClaimRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly endpoint_id: number;
  readonly is_active: boolean;
  readonly url: string;
  readonly secret_sealed: string;
  readonly previous_secret_sealed: string | null;
  readonly body: string;
  readonly attempt_count: number;
  readonly scheduled_attempt: number;
  readonly now: Date;
}

/** Webhook deliveries: what is due, who sends it, and how it went. */
export class WebhookDeliveryStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks what is due as sent to the queue and answers it, with the number of attempts so far. */
  async take(limit: number, redispatchAfterMs: number): Promise<DueDelivery[]> {
    const rows = await queryRows<{ id: string; attempt_count: number }>(
      this.dataSource,
      `UPDATE webhook_delivery SET dispatched_at = now()
        WHERE id IN (
          SELECT id FROM webhook_delivery
           WHERE status = 'pending' AND next_attempt_at <= now()
             AND (dispatched_at IS NULL OR dispatched_at < now() - $2 * interval '1 millisecond')
             AND (lease_expires_at IS NULL OR lease_expires_at < now())
           ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING id, attempt_count`,
      [limit, redispatchAfterMs],
    );
    return rows.map((row) => ({ id: row.id, attempt: row.attempt_count }));
  }

  /** Their jobs could not be sent: they are due at once again. */
  async untake(due: readonly DueDelivery[]): Promise<void> {
    const ids = due.map((delivery) => delivery.id);
    await queryRows(
      this.dataSource,
      `UPDATE webhook_delivery SET dispatched_at = NULL WHERE id = ANY($1) RETURNING id`,
      [ids],
    );
  }

  /**
   * Takes the right to send one delivery for `leaseMs`; null when it is not due, not pending or somebody else sends it.
   * One whose endpoint is disabled by now is not sent any more.
   */
  async claim(id: string, leaseMs: number): Promise<ClaimedDelivery | null> {
    const [row] = await queryRows<ClaimRow>(this.dataSource, CLAIM_SQL, [id, leaseMs]);
    return row?.is_active === true ? toClaimed(row) : null;
  }

  /** Records the attempt and what follows from it, in one transaction. */
  async record(delivery: ClaimedDelivery, attempt: AttemptRecord, verdict: DeliveryVerdict): Promise<void> {
    await queryRows(this.dataSource, RECORD_SQL, [
      delivery.id,
      delivery.attempt,
      attempt.statusCode,
      attempt.error,
      attempt.durationMs,
      statusAfter(verdict),
      verdict.kind === 'retry' ? verdict.delayMs : 0,
      verdict.kind === 'endpoint_disabled',
      delivery.now,
    ]);
  }
}

/** Whether a job that was sent waits for somebody to take it. */
export async function isDeliverySent(manager: Pick<DataSource, 'query'>): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `SELECT 1 FROM webhook_delivery
      WHERE status = 'pending' AND dispatched_at IS NOT NULL AND (lease_expires_at IS NULL OR lease_expires_at < now())
      LIMIT 1`,
  );
  return rows.length > 0;
}

function statusAfter(verdict: DeliveryVerdict): 'pending' | 'delivered' | 'exhausted' {
  switch (verdict.kind) {
    case 'delivered':
      return 'delivered';
    case 'retry':
      return 'pending';
    case 'exhausted':
    case 'endpoint_disabled':
      return 'exhausted';
  }
}

function toClaimed(row: ClaimRow): ClaimedDelivery {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    url: row.url,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    body: row.body,
    attempt: row.attempt_count,
    scheduledAttempt: row.scheduled_attempt,
    now: row.now,
  };
}

const CLAIM_SQL = `
  UPDATE webhook_delivery delivery
     SET status = CASE WHEN endpoint.is_active THEN 'pending' ELSE 'exhausted' END,
         attempt_count = attempt_count + endpoint.is_active::int,
         lease_expires_at = CASE WHEN endpoint.is_active THEN now() + $2 * interval '1 millisecond' END
    FROM webhook_endpoint endpoint
   WHERE delivery.id = $1 AND endpoint.id = delivery.endpoint_id AND delivery.status = 'pending'
     AND delivery.next_attempt_at <= now()
     AND (delivery.lease_expires_at IS NULL OR delivery.lease_expires_at < now())
  RETURNING delivery.id, delivery.tenant_id, endpoint.id AS endpoint_id, endpoint.is_active, endpoint.url,
            endpoint.secret_sealed,
            CASE WHEN endpoint.previous_secret_expires_at > now() THEN endpoint.previous_secret_sealed END
              AS previous_secret_sealed,
            delivery.body, delivery.attempt_count,
            delivery.attempt_count - delivery.attempts_before_redelivery AS scheduled_attempt, now() AS now`;

/** A redelivery that was asked for during the attempt stays due, whatever became of the attempt. */
const RECORD_SQL = `
  WITH attempt AS (
    INSERT INTO webhook_attempt (delivery_id, number, tenant_id, status_code, error, duration_ms, attempted_at)
    SELECT id, $2, tenant_id, $3::int, $4::text, $5::int, $9 FROM webhook_delivery WHERE id = $1
    ON CONFLICT (delivery_id, number) DO NOTHING
  ), disabled AS (
    UPDATE webhook_endpoint SET is_active = false
     WHERE $8 AND id = (SELECT endpoint_id FROM webhook_delivery WHERE id = $1)
  )
  UPDATE webhook_delivery
     SET status = CASE WHEN attempts_before_redelivery < $2 THEN $6::text ELSE 'pending' END,
         lease_expires_at = NULL, dispatched_at = NULL,
         next_attempt_at = CASE WHEN attempts_before_redelivery < $2 THEN now() + $7 * interval '1 millisecond'
                                ELSE next_attempt_at END,
         delivered_at = CASE WHEN $6::text = 'delivered' THEN now() ELSE delivered_at END
   WHERE id = $1 AND attempt_count = $2 AND status = 'pending'
  RETURNING id`;
