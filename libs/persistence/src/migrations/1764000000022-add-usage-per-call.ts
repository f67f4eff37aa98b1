import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A row for every model call: whose, what for, and what is known of its bill. */
export class AddUsagePerCall1764000000022 implements MigrationInterface {
  readonly name = 'AddUsagePerCall1764000000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" ADD "lost_epoch" integer`);
    await runner.query(`ALTER TABLE "usage_log" ADD COLUMN IF NOT EXISTS "scope" text NOT NULL DEFAULT ''`);
    await runner.query(`ALTER TABLE "usage_log" ADD "purpose" text NOT NULL DEFAULT 'round',
      ADD "state" text NOT NULL DEFAULT 'known',
      ADD "cache_creation_5m_tokens" bigint, ADD "cache_creation_1h_tokens" bigint`);
    await runner.query(`UPDATE "usage_log" SET "state" = 'unknown' WHERE "total_tokens" IS NULL`);
    await runner.query(`UPDATE "usage_log" SET "cache_creation_5m_tokens" = 0, "cache_creation_1h_tokens" = 0
      WHERE "total_tokens" IS NOT NULL`);
    await runner.query(`ALTER TABLE "usage_log"
      ADD CONSTRAINT "usage_log_state_check" CHECK (state IN ('known', 'failed', 'unknown')),
      DROP CONSTRAINT "usage_log_pkey",
      ADD CONSTRAINT "usage_log_pkey" PRIMARY KEY ("execution_id", "scope", "purpose", "round", "try_number")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "usage_log" WHERE "purpose" <> 'round'`);
    await runner.query(`ALTER TABLE "usage_log"
      DROP CONSTRAINT "usage_log_pkey", DROP CONSTRAINT "usage_log_state_check",
      DROP "purpose", DROP "state", DROP "cache_creation_5m_tokens", DROP "cache_creation_1h_tokens"`);
    await runner.query(`ALTER TABLE "usage_log"
      ADD CONSTRAINT "usage_log_pkey" PRIMARY KEY ("execution_id", "scope", "round", "try_number")`);
    await runner.query(`ALTER TABLE "execution" DROP "lost_epoch"`);
  }
}
