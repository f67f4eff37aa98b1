import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions can wait for a person. */
export class AddApprovals1764000000004 implements MigrationInterface {
  readonly name = 'AddApprovals1764000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution"
      ADD "pending_calls" jsonb,
      ADD "approval_expires_at" TIMESTAMP WITH TIME ZONE`);
    await runner.query(
      `CREATE INDEX "execution_approval_idx" ON "execution" ("approval_expires_at") WHERE "status" = 'requires_action'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "execution_approval_idx"`);
    await runner.query(`ALTER TABLE "execution" DROP "pending_calls", DROP "approval_expires_at"`);
  }
}
