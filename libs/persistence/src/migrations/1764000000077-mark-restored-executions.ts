import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The latest restore from a backup that found an execution unsettled. */
export class MarkRestoredExecutions1764000000077 implements MigrationInterface {
  readonly name = 'MarkRestoredExecutions1764000000077';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" ADD "restored_at" timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" DROP COLUMN "restored_at"`);
  }
}
