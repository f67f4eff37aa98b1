import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Executions by status and by metadata. Those that are queued or running are the newest, or have an index of their own, and
 * change too often to be in another one; most executions have no metadata.
 */
export class IndexWhatListsAskFor1764000000025 implements MigrationInterface {
  readonly name = 'IndexWhatListsAskFor1764000000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "execution_status_idx" ON "execution" ("tenant_id", "status", "id")
      WHERE "status" IN ('requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`);
    await runner.query(`CREATE INDEX "execution_metadata_idx" ON "execution" USING gin ("metadata" jsonb_path_ops)
      WHERE "metadata" <> '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "execution_metadata_idx"`);
    await runner.query(`DROP INDEX "execution_status_idx"`);
  }
}
