import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The wait of an execution, and how much of it its agent's `wait_for_tools_seconds` has paid for. */
export class SayWhatExecutionsWaitFor1764000000070 implements MigrationInterface {
  readonly name = 'SayWhatExecutionsWaitFor1764000000070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "execution" ADD "waiting_for" jsonb, ADD "waited_for_tools_ms" integer NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "execution" DROP COLUMN "waited_for_tools_ms", DROP COLUMN "waiting_for"`,
    );
  }
}
