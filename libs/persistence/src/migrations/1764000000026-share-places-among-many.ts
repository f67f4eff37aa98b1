import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many places are left to tenants, for claims of several executions at once; by the same rule, and under the same locks,
 * as `has_place`, which releases before this one go on asking.
 */
export class SharePlacesAmongMany1764000000026 implements MigrationInterface {
  readonly name = 'SharePlacesAmongMany1764000000026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PLACES_LEFT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION places_left(text[], float8)`);
  }
}

/**
 * Null: as many as it likes, since no other tenant waits that holds less than its share. Where one does, those who ask for
 * the same tenant do so one after the other, so that each counts what the others got; in one order, so that two that ask
 * for several never wait for each other. Two deprived tenants say as much as all of them.
 */
const PLACES_LEFT = `
  CREATE FUNCTION places_left(asking text[], share float8) RETURNS TABLE (tenant text, places int) LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      most int := places_of_a_tenant(share);
      deprived text[] := '{}';
    BEGIN
      IF most IS NOT NULL THEN
        deprived := ARRAY(
          WITH waiting AS (
            SELECT tenant_id FROM execution
             WHERE status = 'queued' AND head_since IS NOT NULL AND (due_at IS NULL OR due_at <= now()) AND dispatched_at IS NOT NULL
            UNION
            SELECT unsent FROM unsent_tenants() AS unsent
          )
          SELECT tenant_id FROM waiting
           WHERE (cardinality(asking) > 1 OR tenant_id <> asking[1])
             AND (SELECT count(*) FROM execution held WHERE held.status = 'running' AND held.tenant_id = waiting.tenant_id) < most
           LIMIT 2);
      END IF;
      FOR tenant IN SELECT name FROM (SELECT DISTINCT unnest(asking) AS name) asker ORDER BY hashtext(name), name LOOP
        places := NULL;
        IF EXISTS (SELECT 1 FROM unnest(deprived) AS name WHERE name <> tenant) THEN
          PERFORM pg_advisory_xact_lock(4711003, hashtext(tenant));
          places := most - (SELECT count(*) FROM execution WHERE status = 'running' AND tenant_id = tenant);
        END IF;
        RETURN NEXT;
      END LOOP;
    END $$`;
