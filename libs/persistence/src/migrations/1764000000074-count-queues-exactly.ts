import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An accept near a limit of its queue counts what waits under a lock. What waits of a tenant has an index: an execution costs
 * one more entry, when it is accepted.
 */
export class CountQueuesExactly1764000000074 implements MigrationInterface {
  readonly name = 'CountQueuesExactly1764000000074';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "execution_queued_idx" ON "execution" ("tenant_id") WHERE "status" = 'queued'`,
    );
    await runner.query(ROOM_IN_QUEUES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION room_in_queues(text[], int[], int)`);
    await runner.query(`DROP INDEX "execution_queued_idx"`);
  }
}

/**
 * How many more executions may wait, of each asking tenant and of all of them; null where no limit is given. The locks are
 * held until the end of the transaction, so that each counts what the others got: first that of all, then those of tenants
 * in one order, so that two that ask for several never wait for each other. A function that is not stable sees what was
 * committed while it waited for a lock. What it reads is bounded by the limits.
 */
const ROOM_IN_QUEUES = `
  CREATE FUNCTION room_in_queues(asking text[], most_of_tenants int[], most_of_all int)
  RETURNS TABLE (tenant_id text, of_tenant int, of_all int) LANGUAGE plpgsql VOLATILE
  SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    #variable_conflict use_column
    DECLARE asked record;
    BEGIN
      IF most_of_all IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(4711005);
        of_all := most_of_all - (
          SELECT count(*) FROM (SELECT 1 FROM execution e WHERE e.status = 'queued' LIMIT most_of_all) waiting);
      END IF;
      FOR asked IN
        SELECT given.name, min(given.most) AS most FROM unnest(asking, most_of_tenants) AS given (name, most)
         GROUP BY given.name ORDER BY hashtext(given.name), given.name
      LOOP
        tenant_id := asked.name;
        of_tenant := NULL;
        IF asked.most IS NOT NULL THEN
          PERFORM pg_advisory_xact_lock(4711006, hashtext(asked.name));
          of_tenant := asked.most - (
            SELECT count(*) FROM (
              SELECT 1 FROM execution e WHERE e.status = 'queued' AND e.tenant_id = asked.name LIMIT asked.most) waiting);
        END IF;
        RETURN NEXT;
      END LOOP;
    END $$`;
