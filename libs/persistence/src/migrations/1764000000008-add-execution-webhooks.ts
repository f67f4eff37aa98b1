import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An execution can name a webhook of its own; receivers that fail are paused, and called a few at a time. */
export class AddExecutionWebhooks1764000000008 implements MigrationInterface {
  readonly name = 'AddExecutionWebhooks1764000000008';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}

const up = [
  `CREATE TABLE "execution_webhook" (
      "execution_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "url" text NOT NULL,
      "receiver" text NOT NULL,
      "events" text array NOT NULL,
      "is_active" boolean NOT NULL DEFAULT true,
      CONSTRAINT "execution_webhook_pkey" PRIMARY KEY ("execution_id")
    )`,
  `ALTER TABLE "execution_webhook" ADD CONSTRAINT "FK_f73ceee7b93293656e9de63646a"
      FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE`,
  `CREATE TABLE "webhook_signing_secret" (
      "tenant_id" text NOT NULL,
      "secret_sealed" text NOT NULL,
      "previous_secret_sealed" text,
      "previous_secret_expires_at" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "webhook_signing_secret_pkey" PRIMARY KEY ("tenant_id")
    )`,
  `CREATE TABLE "webhook_breaker" (
      "tenant_id" text NOT NULL,
      "receiver" text NOT NULL,
      "consecutive_failures" integer NOT NULL,
      "paused_until" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "webhook_breaker_pkey" PRIMARY KEY ("tenant_id", "receiver")
    )`,
  // The default is for workers of the release before, which know of no receivers.
  `ALTER TABLE "webhook_delivery" ADD "receiver" text NOT NULL DEFAULT ''`,
  `UPDATE "webhook_delivery" SET "receiver" = 'endpoint:' || "endpoint_id"`,
  `ALTER TABLE "webhook_delivery" ALTER "endpoint_id" DROP NOT NULL`,
  `DROP INDEX "webhook_delivery_pending_idx"`,
  `CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery" ("tenant_id", "receiver", "next_attempt_at")
      WHERE "status" = 'pending'`,
  `CREATE INDEX "webhook_delivery_in_flight_idx" ON "webhook_delivery" ("tenant_id", "receiver")
      WHERE "status" = 'pending' AND "dispatched_at" IS NOT NULL`,
];

const down = [
  `DROP INDEX "webhook_delivery_in_flight_idx"`,
  `DROP INDEX "webhook_delivery_pending_idx"`,
  `CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery" ("next_attempt_at") WHERE "status" = 'pending'`,
  `DELETE FROM "webhook_delivery" WHERE "endpoint_id" IS NULL`,
  `ALTER TABLE "webhook_delivery" ALTER "endpoint_id" SET NOT NULL, DROP "receiver"`,
  `DROP TABLE "webhook_breaker", "webhook_signing_secret", "execution_webhook"`,
];
