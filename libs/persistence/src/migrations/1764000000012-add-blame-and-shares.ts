import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an execution may be blamed for, when it is due again, and what a tenant may hold while another one waits. The rules
 * are functions of the database, since dispatch and claim have to agree on them.
 */
export class AddBlameAndShares1764000000012 implements MigrationInterface {
  readonly name = 'AddBlameAndShares1764000000012';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION has_place(text, float8)`);
    await runner.query(`DROP FUNCTION places_of_a_tenant(float8)`);
    await runner.query(`DROP FUNCTION retry_delay(int, text)`);
    await runner.query(`DROP INDEX "execution_running_idx"`);
    await runner.query(`ALTER TABLE "worker" DROP "places"`);
    await runner.query(`ALTER TABLE "execution" DROP "isolated_deaths"`);
    await runner.query(`ALTER TABLE "execution" DROP "due_at"`);
  }
}

/** Waits for nothing but a worker. */
const WAITS = `status = 'queued' AND head_since IS NOT NULL AND (due_at IS NULL OR due_at <= now())`;

const statements = [
  `ALTER TABLE "execution" ADD "due_at" TIMESTAMP WITH TIME ZONE`,
  `ALTER TABLE "execution" ADD "isolated_deaths" integer NOT NULL DEFAULT 0`,
  `ALTER TABLE "worker" ADD "places" integer NOT NULL DEFAULT 0`,
  `CREATE INDEX "execution_running_idx" ON "execution" ("tenant_id") WHERE "status" = 'running'`,
  // None after the first loss; then from a second, doubled each time, up to half a minute, and shortened at random by up
  // to a half. The seed decides, so that everybody who asks hears the same.
  `CREATE FUNCTION retry_delay(losses int, seed text) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN losses <= 0 THEN interval '0'
                ELSE least(30, power(2, least(losses, 10) - 1)) * (1 - (hashtext(seed) & 1023) / 2046.0) * interval '1 second'
           END $$`,
  // Null: nobody has said how many places there are, so there is nothing to share.
  `CREATE FUNCTION places_of_a_tenant(share float8) RETURNS int LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN sum(places) > 0 THEN greatest(1, floor(sum(places) * share))::int END FROM worker $$`,
  // Whether a tenant may hold one more: always, unless another one waits that holds less than its share. Then those who ask
  // for the same tenant do so one after the other, so that each counts what the others got.
  `CREATE FUNCTION has_place(asking text, share float8) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    DECLARE most int := places_of_a_tenant(share);
    BEGIN
      IF most IS NULL OR NOT EXISTS (
        WITH RECURSIVE unsent AS (
          (SELECT tenant_id FROM execution WHERE ${WAITS} AND dispatched_at IS NULL ORDER BY tenant_id LIMIT 1)
          UNION ALL
          SELECT (SELECT tenant_id FROM execution
                   WHERE ${WAITS} AND dispatched_at IS NULL AND tenant_id > before.tenant_id ORDER BY tenant_id LIMIT 1)
            FROM unsent before WHERE before.tenant_id IS NOT NULL
        ), waiting AS (
          SELECT tenant_id FROM execution WHERE ${WAITS} AND dispatched_at IS NOT NULL
          UNION ALL
          SELECT tenant_id FROM unsent WHERE tenant_id IS NOT NULL
        )
        SELECT 1 FROM waiting
         WHERE tenant_id <> asking
           AND (SELECT count(*) FROM execution held WHERE held.status = 'running' AND held.tenant_id = waiting.tenant_id) < most
      ) THEN RETURN true; END IF;
      PERFORM pg_advisory_xact_lock(4711003, hashtext(asking));
      RETURN (SELECT count(*) FROM execution WHERE status = 'running' AND tenant_id = asking) < most;
    END $$`,
];
