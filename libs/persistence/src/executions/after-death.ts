/**
 * Consequences of worker deaths, as parts of a statement with the ids in `dead`. Deliveries that those workers were
 * sending become due at once, and so do all sent but unclaimed jobs, since any of them may have been held by a dead
 * worker. A duplicate job is harmless, and their number is bounded by the queue. Locked rows are skipped: they are being
 * claimed.
 */
export const AFTER_DEATH = `
  released_deliveries AS (
    UPDATE webhook_delivery SET lease_expires_at = NULL, dispatched_at = NULL, sender = NULL
     WHERE status = 'pending' AND dispatched_at IS NOT NULL AND sender IN (SELECT id FROM dead)
  ), unclaimed_deliveries AS (
    UPDATE webhook_delivery SET dispatched_at = NULL
     WHERE id IN (SELECT id FROM webhook_delivery
                   WHERE status = 'pending' AND dispatched_at IS NOT NULL AND sender IS NULL AND EXISTS (SELECT 1 FROM dead)
                     FOR UPDATE SKIP LOCKED)
  ), unclaimed_executions AS (
    UPDATE execution SET dispatched_at = NULL
     WHERE id IN (SELECT id FROM execution
                   WHERE status = 'queued' AND dispatched_at IS NOT NULL AND EXISTS (SELECT 1 FROM dead)
                     FOR UPDATE SKIP LOCKED)
  )`;
