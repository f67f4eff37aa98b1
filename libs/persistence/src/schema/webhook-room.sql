-- How many requests one receiver of webhooks gets at once, over all processes. This is the current text of these functions,
-- whichever migration brought it; test/integration/migrate/schema-text.spec.ts holds the database to it. To change them, change this
-- file, and let a new migration run what has changed.
--
-- There are two ways to a receiver. Deliveries that wait in line are claimed one after the other, under the exclusive lock of their
-- receiver. Others are leased by the transaction that makes them, to its own worker, under the shared lock: several at once, since
-- each worker has a share of its own. So a claim counts every lease that there is, and what is leased at birth sees every claim.
-- Both read inside of a function that is VOLATILE: each of its statements has a snapshot of its own, taken when the lock is held.

-- The requests under way to a receiver; nobody else begins one until the transaction has ended.
CREATE OR REPLACE FUNCTION count_webhook_requests(of_tenant text, to_receiver text) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(7350004, hashtext(of_tenant || ' ' || to_receiver));
      RETURN (SELECT count(*) FROM webhook_delivery
               WHERE tenant_id = of_tenant AND receiver = to_receiver AND status = 'pending' AND dispatched_at IS NOT NULL
                 AND lease_expires_at > now());
    END $$;

-- True while nothing is sent to a receiver because it failed. A claim asks after count_webhook_requests has got the lock: the pause
-- of a request that ended while the claim waited for the lock counts.
CREATE OR REPLACE FUNCTION is_webhook_receiver_paused(of_tenant text, to_receiver text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      RETURN EXISTS (SELECT 1 FROM webhook_breaker
                      WHERE tenant_id = of_tenant AND receiver = to_receiver AND paused_until > now());
    END $$;

-- Whether a delivery may be leased at birth. Not while somebody claims one to this receiver or another worker sends what it has
-- claimed, while the receiver is paused or on trial, while its line has not moved for a second, and while its tenant has as many
-- requests under way as it may have. What is leased at birth was dispatched in the transaction that made it.
CREATE OR REPLACE FUNCTION has_room_for_webhook(of_tenant text, to_receiver text, of_worker text, tenant_concurrency int)
  RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
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
