/**
 * Records successful attempts given as JSON: `id`, `number`, `status_code`, `answer`, `duration_ms`, `attempted_at`,
 * `tenant_concurrency`. Returns the deliveries found, and whether others wait for the freed slots. The commit is
 * asynchronous: a record lost in a crash means one repeated request. Idempotent.
 * @param whenLocked waits for or skips deliveries locked by another transaction
 */
export function recordDeliveredSql(whenLocked: 'wait' | 'skip'): string {
  return `
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
        AS given (id text, number int, status_code int, answer jsonb, duration_ms int, attempted_at timestamptz,
                  tenant_concurrency int)
  ), held AS MATERIALIZED (
    SELECT delivery.id, delivery.tenant_id, delivery.receiver, delivery.attempts_before_redelivery,
           delivery.status = 'pending' AND delivery.attempt_count = given.number AS is_current,
           given.number, given.status_code, given.answer, given.duration_ms, given.attempted_at, given.tenant_concurrency
      FROM webhook_delivery delivery JOIN given USING (id)
     ORDER BY delivery.id FOR NO KEY UPDATE OF delivery ${whenLocked === 'skip' ? 'SKIP LOCKED' : ''}
  ), attempt AS (
    INSERT INTO webhook_attempt (delivery_id, number, tenant_id, status_code, answer, duration_ms, attempted_at)
    SELECT id, number, tenant_id, status_code, answer, duration_ms, attempted_at FROM held
    ON CONFLICT (delivery_id, number) DO NOTHING
  ), called AS MATERIALIZED (
    SELECT DISTINCT tenant_id, receiver, tenant_concurrency FROM held
  ), forgiven AS (
    DELETE FROM webhook_breaker breaker USING called
     WHERE breaker.tenant_id = called.tenant_id AND breaker.receiver = called.receiver
  ), recorded AS (
    UPDATE webhook_delivery delivery
       SET status = CASE WHEN held.attempts_before_redelivery < held.number THEN 'delivered' ELSE 'pending' END,
           lease_expires_at = NULL, dispatched_at = NULL, sender = NULL, delivered_at = now(),
           next_attempt_at = CASE WHEN held.attempts_before_redelivery < held.number THEN now()
                                  ELSE delivery.next_attempt_at END
      FROM held WHERE delivery.id = held.id AND held.is_current
  ), waiting AS MATERIALIZED (
    SELECT tenant_id, receiver,
           EXISTS (SELECT 1 FROM webhook_delivery next
                    WHERE next.tenant_id = called.tenant_id AND next.receiver = called.receiver AND next.status = 'pending'
                      AND next.next_attempt_at <= now() AND next.dispatched_at IS NULL)
             OR (SELECT count(*) FROM webhook_delivery other
                  WHERE other.tenant_id = called.tenant_id AND other.status = 'pending' AND other.dispatched_at IS NOT NULL)
                >= called.tenant_concurrency AS has_waiting
      FROM called
  )
  SELECT held.id, waiting.has_waiting, set_config('synchronous_commit', 'off', true)
    FROM held JOIN waiting USING (tenant_id, receiver)`;
}

/** Records one failed attempt and its consequences. A redelivery requested during the attempt stays due. */
export const RECORD_FAILED_SQL = `
  WITH attempt AS (
    INSERT INTO webhook_attempt (delivery_id, number, tenant_id, status_code, error, answer, duration_ms, attempted_at)
    SELECT id, $2, tenant_id, $3::int, $4::text, $10::jsonb, $5::int, $9 FROM webhook_delivery WHERE id = $1
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
                                ELSE next_attempt_at END
   WHERE id = $1 AND attempt_count = $2 AND status = 'pending'
  RETURNING id`;
