/**
 * What follows from the deaths of workers, as parts of a statement that has their ids in `dead`: deliveries that they
 * were sending are due at once, and so is every job that was sent and that nobody has claimed, for they may have been
 * holding any of them. A job that is sent again although it waits in the queue is a hint too many, and harmless; no
 * more than the queue has room for are. What somebody else holds at this moment is passed over: it is being claimed.
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
