import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { countFailure, forgetFailures, type PauseAfter } from './webhook-breaker.js';

/** A delivery that this process may send now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly tenantId: string;
  /** Null when it goes to the URL that came with the execution. */
  readonly endpointId: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secretSealed: string | null;
  /** What the secret replaced, as long as it still signs. */
  readonly previousSecretSealed: string | null;
  readonly body: string;
  /** From 1, over the whole life of the delivery. */
  readonly attempt: number;
  /** From 1 again after every redelivery: where the schedule is. */
  readonly scheduledAttempt: number;
  /** The database's clock: the `webhook-timestamp` of this attempt. */
  readonly now: Date;
  /** When that happened which it reports. */
  readonly createdAt: Date;
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
  /** What the attempt says of the receiver: that it works, that it fails, or nothing. */
  readonly receiver: 'works' | 'fails' | 'unknown';
}

export interface DeliveryClaimOptions {
  /** Who sends, under its presence: when that process dies, the delivery is due again at once. */
  readonly sender: string;
  readonly leaseMs: number;
  /** Requests to one receiver at once, over all processes. */
  readonly receiverConcurrency: number;
}

interface ClaimRow {
  readonly id: string;
  readonly decision: 'send' | 'hold' | 'give_up';
  readonly tenant_id: string;
  readonly endpoint_id: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secret_sealed: string | null;
  readonly previous_secret_sealed: string | null;
  readonly body: string;
  readonly attempt_count: number;
  readonly scheduled_attempt: number;
  readonly now: Date;
  readonly created_at: Date;
}

/** Sets the locks of receivers apart from all other advisory locks. */
const RECEIVER_LOCKS = 7_350_004;

/** Who sends a webhook delivery, and how it went. */
export class WebhookDeliveryStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes the right to send one delivery for `leaseMs`; null when it is not due, not pending or somebody else sends it,
   * and when its receiver is paused or has enough requests: then it waits and no attempt is counted. One whose endpoint
   * is disabled by now is not sent any more.
   */
  async claim(
    id: string,
    { sender, leaseMs, receiverConcurrency }: DeliveryClaimOptions,
  ): Promise<ClaimedDelivery | null> {
    const row = await this.dataSource.transaction(async (manager) => {
      // One claim of a receiver at a time: the next one counts what this one has taken.
      await queryRows(
        manager,
        `SELECT pg_advisory_xact_lock($2::int, hashtext(tenant_id || ' ' || receiver)) FROM webhook_delivery WHERE id = $1`,
        [id, RECEIVER_LOCKS],
      );
      const claim = [id, leaseMs, receiverConcurrency, sender];
      const [claimed] = await queryRows<ClaimRow>(manager, CLAIM_SQL, claim);
      return claimed;
    });
    return row?.decision === 'send' ? toClaimed(row) : null;
  }

  /** Records the attempt, what follows from it and what it says of the receiver, in one transaction. */
  async record(
    delivery: ClaimedDelivery,
    attempt: AttemptRecord,
    verdict: DeliveryVerdict,
    pauseAfter: PauseAfter,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await queryRows(manager, RECORD_SQL, [
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
      if (attempt.receiver === 'works') await forgetFailures(manager, delivery);
      if (attempt.receiver === 'fails') await countFailure(manager, delivery, delivery.now, pauseAfter);
    });
  }
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
    receiver: row.receiver,
    url: row.url,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    body: row.body,
    attempt: row.attempt_count,
    scheduledAttempt: row.scheduled_attempt,
    now: row.now,
    createdAt: row.created_at,
  };
}

/** Where a delivery goes: to its endpoint, or to the webhook of its execution, which the tenant's own secret signs. */
const CLAIM_SQL = `
  WITH target AS (
    SELECT delivery.id, coalesce(endpoint.url, own.url) AS url,
           coalesce(endpoint.secret_sealed, secret.secret_sealed) AS secret_sealed,
           CASE WHEN coalesce(endpoint.previous_secret_expires_at, secret.previous_secret_expires_at) > now()
                THEN coalesce(endpoint.previous_secret_sealed, secret.previous_secret_sealed) END AS previous_secret_sealed,
           CASE WHEN NOT coalesce(endpoint.is_active, own.is_active) THEN 'give_up'
                WHEN breaker.paused_until > now() THEN 'hold'
                WHEN under_way.requests >= CASE WHEN breaker.paused_until IS NULL THEN $3::int ELSE 1 END THEN 'hold'
                ELSE 'send' END AS decision
      FROM webhook_delivery delivery
      LEFT JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
      LEFT JOIN execution_webhook own ON delivery.endpoint_id IS NULL AND own.execution_id = delivery.execution_id
      LEFT JOIN webhook_signing_secret secret
             ON delivery.endpoint_id IS NULL AND secret.tenant_id = delivery.tenant_id
      LEFT JOIN webhook_breaker breaker
             ON breaker.tenant_id = delivery.tenant_id AND breaker.receiver = delivery.receiver
      CROSS JOIN LATERAL (
        SELECT count(*) AS requests FROM webhook_delivery other
         WHERE other.tenant_id = delivery.tenant_id AND other.receiver = delivery.receiver
           AND other.status = 'pending' AND other.dispatched_at IS NOT NULL AND other.lease_expires_at > now()
      ) under_way
     WHERE delivery.id = $1
  )
  UPDATE webhook_delivery delivery
     SET status = CASE decision WHEN 'give_up' THEN 'exhausted' ELSE status END,
         attempt_count = CASE decision WHEN 'send' THEN attempt_count + 1 ELSE attempt_count END,
         lease_expires_at = CASE decision WHEN 'send' THEN now() + $2 * interval '1 millisecond' END,
         dispatched_at = CASE decision WHEN 'send' THEN now() END,
         sender = CASE decision WHEN 'send' THEN $4 END
    FROM target
   WHERE delivery.id = target.id AND delivery.status = 'pending' AND delivery.next_attempt_at <= now()
     AND (delivery.lease_expires_at IS NULL OR delivery.lease_expires_at < now())
  RETURNING delivery.id, decision, delivery.tenant_id, delivery.endpoint_id, delivery.receiver, url, secret_sealed,
            previous_secret_sealed, delivery.body, delivery.attempt_count,
            delivery.attempt_count - delivery.attempts_before_redelivery AS scheduled_attempt, now() AS now,
            delivery.created_at`;

/** A redelivery that was asked for during the attempt stays due, whatever became of the attempt. */
const RECORD_SQL = `
  WITH attempt AS (
    INSERT INTO webhook_attempt (delivery_id, number, tenant_id, status_code, error, duration_ms, attempted_at)
    SELECT id, $2, tenant_id, $3::int, $4::text, $5::int, $9 FROM webhook_delivery WHERE id = $1
    ON CONFLICT (delivery_id, number) DO NOTHING
  ), disabled_endpoint AS (
    UPDATE webhook_endpoint SET is_active = false
     WHERE $8 AND id = (SELECT endpoint_id FROM webhook_delivery WHERE id = $1)
  ), disabled_webhook AS (
    UPDATE execution_webhook SET is_active = false
     WHERE $8 AND execution_id = (SELECT execution_id FROM webhook_delivery WHERE id = $1 AND endpoint_id IS NULL)
  )
  UPDATE webhook_delivery
     SET status = CASE WHEN attempts_before_redelivery < $2 THEN $6::text ELSE 'pending' END,
         lease_expires_at = NULL, dispatched_at = NULL, sender = NULL,
         next_attempt_at = CASE WHEN attempts_before_redelivery < $2 THEN now() + $7 * interval '1 millisecond'
                                ELSE next_attempt_at END,
         delivered_at = CASE WHEN $6::text = 'delivered' THEN now() ELSE delivered_at END
   WHERE id = $1 AND attempt_count = $2 AND status = 'pending'
  RETURNING id`;
