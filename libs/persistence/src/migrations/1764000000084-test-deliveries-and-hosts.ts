import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries of test events belong to no execution; workers show the model hosts that do not answer them; executions keep
 * when a person has not decided in time.
 */
export class TestDeliveriesAndHosts1764000000084 implements MigrationInterface {
  readonly name = 'TestDeliveriesAndHosts1764000000084';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_delivery ALTER COLUMN execution_id DROP NOT NULL;
      ALTER TABLE worker ADD model_hosts jsonb NOT NULL DEFAULT '[]';
      ALTER TABLE execution ADD approval_expired_at timestamptz;
      CREATE INDEX execution_expired_approval_idx ON execution (tenant_id, approval_expired_at)
        WHERE approval_expired_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM webhook_delivery WHERE execution_id IS NULL;
      ALTER TABLE webhook_delivery ALTER COLUMN execution_id SET NOT NULL;
      ALTER TABLE worker DROP model_hosts;
      ALTER TABLE execution DROP approval_expired_at`);
  }
}
