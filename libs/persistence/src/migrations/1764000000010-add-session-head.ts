import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which execution of a conversation is next, kept by the database, so that finding work costs the same at any backlog. */
export class AddSessionHead1764000000010 implements MigrationInterface {
  readonly name = 'AddSessionHead1764000000010';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER execution_follows_line ON "execution"`);
    await runner.query(`DROP TRIGGER execution_wakes_next ON "execution"`);
    await runner.query(`DROP FUNCTION find_head_of_session, wake_next_of_session`);
    await runner.query(`DROP INDEX "execution_dispatched_idx"`);
    await runner.query(`DROP INDEX "execution_waiting_idx"`);
    await runner.query(`ALTER TABLE "execution" DROP "head_since"`);
    await runner.query(
      `CREATE INDEX "execution_queued_idx" ON "execution" ("tenant_id", "created_at") WHERE "status" = 'queued'`,
    );
  }
}

const UNSETTLED = `status IN ('queued', 'running', 'requires_action')`;

const statements = [
  `ALTER TABLE "execution" ADD "head_since" TIMESTAMP WITH TIME ZONE`,
  `UPDATE "execution" SET head_since = now() WHERE id IN (
      SELECT DISTINCT ON (session_id) id FROM "execution" WHERE ${UNSETTLED} ORDER BY session_id, turn_number)`,
  `DROP INDEX "execution_queued_idx"`,
  `CREATE INDEX "execution_waiting_idx" ON "execution" ("tenant_id", "created_at", "id")
      WHERE "status" = 'queued' AND "head_since" IS NOT NULL AND "dispatched_at" IS NULL`,
  `CREATE INDEX "execution_dispatched_idx" ON "execution" ("dispatched_at") WHERE "dispatched_at" IS NOT NULL`,
  // Whoever accepts holds the row of the session, so nobody settles between this look and its commit.
  `CREATE FUNCTION find_head_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (
        SELECT 1 FROM execution earlier
         WHERE earlier.session_id = NEW.session_id AND earlier.turn_number < NEW.turn_number AND earlier.${UNSETTLED})
      THEN NEW.head_since := now();
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER execution_follows_line BEFORE INSERT ON "execution" FOR EACH ROW
    EXECUTE FUNCTION find_head_of_session()`,
  // Whoever settles holds the row of the session already; this makes sure.
  `CREATE FUNCTION wake_next_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM chat_session WHERE id = NEW.session_id FOR NO KEY UPDATE;
      UPDATE execution SET head_since = now()
       WHERE head_since IS NULL AND id = (
         SELECT id FROM execution next WHERE next.session_id = NEW.session_id AND next.${UNSETTLED}
          ORDER BY next.turn_number LIMIT 1);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER execution_wakes_next AFTER UPDATE OF status ON "execution" FOR EACH ROW
    WHEN (OLD.${UNSETTLED} AND NOT NEW.${UNSETTLED})
    EXECUTE FUNCTION wake_next_of_session()`,
];
