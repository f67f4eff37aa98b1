import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions that get a title, start afresh on request, and can be deleted. What an execution has cost outlives its
 * session, so that the accounts stay true.
 */
export class AddSessionLifecycle1764000000023 implements MigrationInterface {
  readonly name = 'AddSessionLifecycle1764000000023';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "usage_log" WHERE "session_id" IS NULL`);
    await runner.query(`ALTER TABLE "usage_log" ALTER "session_id" SET NOT NULL`);
    await runner.query(`ALTER TABLE "usage_log" ADD CONSTRAINT "${USAGE_FOREIGN_KEY}"
      FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE`);
    await runner.query(`DROP INDEX "usage_log_session_idx"`);
    await runner.query(`DROP INDEX "idempotency_key_execution_idx"`);
    await runner.query(`DROP TABLE "deleted_session", "session_title"`);
    await runner.query(`ALTER TABLE "execution" DROP "engine_session_id", DROP "num_turns"`);
    await runner.query(`ALTER TABLE "chat_session" DROP "engine_first_turn"`);
  }
}

const USAGE_FOREIGN_KEY = 'FK_5278f85c63c48f39d44f99d3729';

const statements = [
  `ALTER TABLE "chat_session" ADD "engine_first_turn" integer NOT NULL DEFAULT 1`,
  `ALTER TABLE "execution" ADD "engine_session_id" text, ADD "num_turns" integer`,
  `CREATE TABLE "session_title" (
      "session_id" uuid NOT NULL,
      "execution_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "title" character varying(500),
      "tries" integer NOT NULL DEFAULT 0,
      "first_tried_at" TIMESTAMP WITH TIME ZONE,
      "dispatched_at" TIMESTAMP WITH TIME ZONE,
      "lease_expires_at" TIMESTAMP WITH TIME ZONE,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "session_title_pkey" PRIMARY KEY ("session_id"),
      CONSTRAINT "session_title_session_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_session"("id") ON DELETE CASCADE,
      CONSTRAINT "session_title_execution_fkey" FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE
    )`,
  `CREATE UNIQUE INDEX "session_title_execution_key" ON "session_title" ("execution_id")`,
  `CREATE INDEX "session_title_pending_idx" ON "session_title" ("created_at") WHERE "title" IS NULL`,
  `CREATE TABLE "deleted_session" (
      "session_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "execution_ids" uuid array NOT NULL,
      "erasures" integer NOT NULL DEFAULT 0,
      "due_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "deleted_session_pkey" PRIMARY KEY ("session_id")
    )`,
  `CREATE INDEX "deleted_session_due_idx" ON "deleted_session" ("due_at")`,
  // Else every execution that is deleted reads the whole table.
  `CREATE INDEX "idempotency_key_execution_idx" ON "idempotency_key" ("execution_id")`,
  `ALTER TABLE "usage_log" DROP CONSTRAINT IF EXISTS "${USAGE_FOREIGN_KEY}"`,
  `ALTER TABLE "usage_log" ALTER "session_id" DROP NOT NULL`,
  `CREATE INDEX "usage_log_session_idx" ON "usage_log" ("session_id")`,
];
