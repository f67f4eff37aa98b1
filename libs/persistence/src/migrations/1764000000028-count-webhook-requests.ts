import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many requests a receiver of webhooks gets at once, where some are claimed and some are leased as they are made. */
export class CountWebhookRequests1764000000028 implements MigrationInterface {
  readonly name = 'CountWebhookRequests1764000000028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COUNT_REQUESTS);
    await runner.query(HAS_ROOM);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION count_webhook_requests, has_room_for_webhook`);
  }
}

// A snapshot of its own for each statement inside, taken when the lock is held: both are VOLATILE for that.
const COUNT_REQUESTS = `CREATE FUNCTION count_webhook_requests(of_tenant text, to_receiver text) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(7350004, hashtext(of_tenant || ' ' || to_receiver));
      RETURN (SELECT count(*) FROM webhook_delivery
               WHERE tenant_id = of_tenant AND receiver = to_receiver AND status = 'pending' AND dispatched_at IS NOT NULL
                 AND lease_expires_at > now());
    END $$`;

const HAS_ROOM = `CREATE FUNCTION has_room_for_webhook(of_tenant text, to_receiver text, of_worker text, tenant_concurrency int)
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
    END $$`;
