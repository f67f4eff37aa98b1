import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What waits, by when it is due: executions that wait for a better time are not read again and again by everybody who looks for
 * work. Which tenants wait is a function, since dispatch and claim have to agree on it.
 */
export class IndexWhenExecutionsAreDue1764000000018 implements MigrationInterface {
  readonly name = 'IndexWhenExecutionsAreDue1764000000018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "execution_waiting_idx"`);
    await runner.query(`CREATE INDEX "execution_waiting_idx" ON "execution" ("tenant_id", "due_at", "created_at", "id")
      WHERE "status" = 'queued' AND "head_since" IS NOT NULL AND "dispatched_at" IS NULL`);
    await runner.query(UNSENT_TENANTS);
    await runner.query(hasPlace(`SELECT tenant_id FROM unsent_tenants() AS tenant_id`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(hasPlace(UNSENT_BEFORE));
    await runner.query(`DROP FUNCTION unsent_tenants()`);
    await runner.query(`DROP INDEX "execution_waiting_idx"`);
    await runner.query(`CREATE INDEX "execution_waiting_idx" ON "execution" ("tenant_id", "created_at", "id")
      WHERE "status" = 'queued' AND "head_since" IS NOT NULL AND "dispatched_at" IS NULL`);
  }
}

const UNSENT = `status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL`;
const IS_DUE = `(due_at IS NULL OR due_at <= now())`;

/** From tenant to tenant, and of each one only whether something is due: two reads of the index, whatever else waits. */
const UNSENT_TENANTS = `
  CREATE FUNCTION unsent_tenants() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE waiting AS (
      (SELECT tenant_id FROM execution WHERE ${UNSENT} ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT tenant_id FROM execution WHERE ${UNSENT} AND tenant_id > before.tenant_id ORDER BY tenant_id LIMIT 1)
        FROM waiting before WHERE before.tenant_id IS NOT NULL
    )
    SELECT tenant_id FROM waiting
     WHERE tenant_id IS NOT NULL
       AND (EXISTS (SELECT 1 FROM execution e WHERE ${UNSENT} AND e.tenant_id = waiting.tenant_id AND due_at IS NULL)
            OR EXISTS (SELECT 1 FROM execution e WHERE ${UNSENT} AND e.tenant_id = waiting.tenant_id AND due_at <= now())) $$`;

const UNSENT_BEFORE = `
  SELECT tenant_id FROM (
    WITH RECURSIVE unsent AS (
      (SELECT tenant_id FROM execution WHERE ${UNSENT} AND ${IS_DUE} ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT tenant_id FROM execution
               WHERE ${UNSENT} AND ${IS_DUE} AND tenant_id > before.tenant_id ORDER BY tenant_id LIMIT 1)
        FROM unsent before WHERE before.tenant_id IS NOT NULL
    ) SELECT tenant_id FROM unsent WHERE tenant_id IS NOT NULL
  ) unsent`;

/**
 * Whether a tenant may hold one more: always, unless another one waits that holds less than its share. Then those who ask for
 * the same tenant do so one after the other, so that each counts what the others got.
 */
const hasPlace = (unsentTenants: string): string => `
  CREATE OR REPLACE FUNCTION has_place(asking text, share float8) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    DECLARE most int := places_of_a_tenant(share);
    BEGIN
      IF most IS NULL OR NOT EXISTS (
        WITH waiting AS (
          SELECT tenant_id FROM execution
           WHERE status = 'queued' AND head_since IS NOT NULL AND ${IS_DUE} AND dispatched_at IS NOT NULL
          UNION ALL
          ${unsentTenants}
        )
        SELECT 1 FROM waiting
         WHERE tenant_id <> asking
           AND (SELECT count(*) FROM execution held WHERE held.status = 'running' AND held.tenant_id = waiting.tenant_id) < most
      ) THEN RETURN true; END IF;
      PERFORM pg_advisory_xact_lock(4711003, hashtext(asking));
      RETURN (SELECT count(*) FROM execution WHERE status = 'running' AND tenant_id = asking) < most;
    END $$`;
