import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A model call that failed may have been paid as well, so that a round can have several rows. */
export class AddUsageOfFailedCalls1764000000014 implements MigrationInterface {
  readonly name = 'AddUsageOfFailedCalls1764000000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "usage_log" ADD "try_number" integer NOT NULL DEFAULT 1`);
    await runner.query(`ALTER TABLE "usage_log" DROP CONSTRAINT "PK_2fc9aedd0b48d1c046a4ee07b1a"`);
    await runner.query(
      `ALTER TABLE "usage_log" ADD CONSTRAINT "usage_log_pkey" PRIMARY KEY ("execution_id", "round", "try_number")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "usage_log" failed USING "usage_log" answered
      WHERE (failed.execution_id, failed.round) = (answered.execution_id, answered.round)
        AND failed.try_number < answered.try_number`);
    await runner.query(`ALTER TABLE "usage_log" DROP CONSTRAINT "usage_log_pkey"`);
    await runner.query(
      `ALTER TABLE "usage_log" ADD CONSTRAINT "PK_2fc9aedd0b48d1c046a4ee07b1a" PRIMARY KEY ("execution_id", "round")`,
    );
    await runner.query(`ALTER TABLE "usage_log" DROP "try_number"`);
  }
}
