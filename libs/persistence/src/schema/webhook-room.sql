-- Concurrent requests to one webhook receiver, over all processes.
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

-- A delivery reaches its receiver in one of two ways. Waiting deliveries are claimed one after the other, under the
-- exclusive lock of their receiver. A delivery can also be leased by the transaction that makes it, to its own worker,
-- under the shared lock: several at once, since each worker has a share of its own. So a claim counts every lease, and
-- a lease at birth sees every claim. All functions are VOLATILE: each of their statements has its own snapshot, taken
-- when the lock is held.

-- The number of requests under way to a receiver. It holds the lock of the receiver until the end of the transaction,
-- so no other claim begins meanwhile.
CREATE OR REPLACE FUNCTION count_webhook_requests(of_tenant text, to_receiver text) RETURNS int LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(7350004, hashtext(of_tenant || ' ' || to_receiver));
      RETURN (SELECT count(*) FROM webhook_delivery
               WHERE tenant_id = of_tenant AND receiver = to_receiver AND status = 'pending' AND dispatched_at IS NOT NULL
                 AND lease_expires_at > now());
    END $$;

-- True while the receiver is paused after failures. A claim calls it after count_webhook_requests has the lock, so that
-- a pause set while the claim waited counts.
CREATE OR REPLACE FUNCTION is_webhook_receiver_paused(of_tenant text, to_receiver text) RETURNS boolean
  LANGUAGE plpgsql AS $$
    BEGIN
      RETURN EXISTS (SELECT 1 FROM webhook_breaker
                      WHERE tenant_id = of_tenant AND receiver = to_receiver AND paused_until > now());
    END $$;

-- True where a delivery may be leased by the transaction that makes it. False while another transaction claims a
-- delivery to the receiver, another worker sends one that it claimed, the receiver is paused or on trial, its line has
-- not moved for 1 s, or its tenant has `tenant_concurrency` requests under way. A delivery that was leased at birth has
-- `dispatched_at` = `created_at`.
CREATE OR REPLACE FUNCTION has_room_for_webhook(of_tenant text, to_receiver text, of_worker text, tenant_concurrency int)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT pg_try_advisory_xact_lock_shared(7350004, hashtext(of_tenant || ' ' || to_receiver)) THEN RETURN false; END IF;
      RETURN NOT EXISTS (SELECT 1 FROM webhook_breaker
                          WHERE tenant_id = of_tenant AND receiver = to_receiver AND paused_until IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM webhook_delivery
                          WHERE tenant_id = of_tenant AND receiver = to_receiver AND status = 'pending'
                            AND dispatched_at IS NOT NULL AND lease_expires_at > now()
                            AND dispatched_at <> created_at AND sender <> of_worker)
         AND NOT EXISTS (SELECT 1 FROM webhook_delivery
                          WHERE tenant_id = of_tenant AND receiver = to_receiver AND status = 'pending'
                            AND next_attempt_at < now() - interval '1 second'
                            AND (lease_expires_at IS NULL OR lease_expires_at <= now()))
         AND tenant_concurrency > (SELECT count(*) FROM webhook_delivery
                                    WHERE tenant_id = of_tenant AND status = 'pending' AND dispatched_at IS NOT NULL
                                      AND lease_expires_at > now());
    END $$;
