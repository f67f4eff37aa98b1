import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhook secrets are stored sealed, and can be replaced without a gap; deliveries can be listed and sent again.
 * Endpoints with an open secret cannot be sealed by SQL: they go, and are registered again.
 */
export class SealWebhookSecrets1764000000005 implements MigrationInterface {
  readonly name = 'SealWebhookSecrets1764000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "webhook_endpoint"`);
    await runner.query(`ALTER TABLE "webhook_endpoint"
      DROP "secret",
      ADD "secret_sealed" text NOT NULL,
      ADD "previous_secret_sealed" text,
      ADD "previous_secret_expires_at" TIMESTAMP WITH TIME ZONE`);
    await runner.query(
      `ALTER TABLE "webhook_delivery" ADD "attempts_before_redelivery" integer NOT NULL DEFAULT '0'`,
    );
    await runner.query(`DROP INDEX "IDX_f53f5aec02217a54927b13e39d"`);
    await runner.query(
      `CREATE INDEX "webhook_delivery_endpoint_idx" ON "webhook_delivery" ("endpoint_id", "id")`,
    );
    await runner.query(
      `CREATE INDEX "webhook_delivery_tenant_idx" ON "webhook_delivery" ("tenant_id", "id")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "webhook_delivery_tenant_idx"`);
    await runner.query(`DROP INDEX "webhook_delivery_endpoint_idx"`);
    await runner.query(`CREATE INDEX "IDX_f53f5aec02217a54927b13e39d" ON "webhook_delivery" ("endpoint_id")`);
    await runner.query(`ALTER TABLE "webhook_delivery" DROP "attempts_before_redelivery"`);
    await runner.query(`DELETE FROM "webhook_endpoint"`);
    await runner.query(`ALTER TABLE "webhook_endpoint"
      DROP "secret_sealed", DROP "previous_secret_sealed", DROP "previous_secret_expires_at",
      ADD "secret" text NOT NULL`);
  }
}
