import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions can be cancelled, also while they run. */
export class AddCancellation1764000000006 implements MigrationInterface {
  readonly name = 'AddCancellation1764000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" ADD "cancel_requested_at" TIMESTAMP WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" DROP "cancel_requested_at"`);
  }
}
