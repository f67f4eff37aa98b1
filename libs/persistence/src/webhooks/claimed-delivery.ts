/** A delivery that this process may send now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly tenantId: string;
  /** Null for the URL given with the execution. */
  readonly endpointId: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secretSealed: string | null;
  /** The replaced secret while it is still valid. */
  readonly previousSecretSealed: string | null;
  readonly body: string;
  /** From 1, over the whole life of the delivery. */
  readonly attempt: number;
  /** Position in the retry schedule: from 1, and again from 1 after each redelivery. */
  readonly scheduledAttempt: number;
  /** The database's clock: the `webhook-timestamp` of this attempt. */
  readonly now: Date;
  /** Time of the reported event. */
  readonly createdAt: Date;
}

/** Target and secrets of a delivery, as all leasing statements return them. */
export interface DeliveryTargetRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly endpoint_id: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secret_sealed: string | null;
  readonly previous_secret_sealed: string | null;
}

/** @param attempt fields beside the target: body, counters and times */
export function toClaimedDelivery(
  row: DeliveryTargetRow,
  attempt: Pick<ClaimedDelivery, 'body' | 'attempt' | 'scheduledAttempt' | 'now' | 'createdAt'>,
): ClaimedDelivery {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    receiver: row.receiver,
    url: row.url,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    ...attempt,
  };
}

/** Target of a delivery: its endpoint, or the webhook of its execution, signed with the tenant's secret. */
const TARGETS = `webhook_delivery delivery
      LEFT JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
      LEFT JOIN execution_webhook own ON delivery.endpoint_id IS NULL AND own.execution_id = delivery.execution_id
      LEFT JOIN webhook_signing_secret secret
             ON delivery.endpoint_id IS NULL AND secret.tenant_id = delivery.tenant_id`;

const TARGET_COLUMNS = `coalesce(endpoint.url, own.url) AS url,
           coalesce(endpoint.secret_sealed, secret.secret_sealed) AS secret_sealed,
           CASE WHEN coalesce(endpoint.previous_secret_expires_at, secret.previous_secret_expires_at) > now()
                THEN coalesce(endpoint.previous_secret_sealed, secret.previous_secret_sealed) END AS previous_secret_sealed`;

/**
 * Claims deliveries; concurrent claims of one receiver are serialized, so that each counts the earlier ones. The commit
 * is asynchronous: a claim lost in a crash only means a repeatable request.
 */
export const CLAIM_DELIVERY_SQL = `
  WITH target AS MATERIALIZED (
    SELECT delivery.id, ${TARGET_COLUMNS},
           CASE WHEN NOT coalesce(endpoint.is_active, own.is_active) THEN 'give_up'
                WHEN count_webhook_requests(delivery.tenant_id, delivery.receiver)
                     >= CASE WHEN breaker.paused_until IS NULL THEN $3::int ELSE 1 END THEN 'hold'
                WHEN is_webhook_receiver_paused(delivery.tenant_id, delivery.receiver) THEN 'hold'
                ELSE 'send' END AS decision
      FROM ${TARGETS}
      LEFT JOIN webhook_breaker breaker
             ON breaker.tenant_id = delivery.tenant_id AND breaker.receiver = delivery.receiver
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
            delivery.created_at, set_config('synchronous_commit', 'off', true)`;

/** Deliveries that execution `$1` created and leased to `$2` for inline delivery. */
export const BORN_SQL = `
  SELECT delivery.id, 'send' AS decision, delivery.tenant_id, delivery.endpoint_id, delivery.receiver, ${TARGET_COLUMNS},
         delivery.body, delivery.attempt_count, delivery.attempt_count - delivery.attempts_before_redelivery AS scheduled_attempt,
         now() AS now, delivery.created_at
    FROM ${TARGETS}
   WHERE delivery.execution_id = $1 AND delivery.sender = $2 AND delivery.status = 'pending'
     AND delivery.dispatched_at = delivery.created_at AND delivery.lease_expires_at > now()`;
