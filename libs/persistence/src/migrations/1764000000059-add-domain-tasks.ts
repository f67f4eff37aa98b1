import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What domains have ordered to be done outside of the database, and the secrets that they do it with. */
export class AddDomainTasks1764000000059 implements MigrationInterface {
  readonly name = 'AddDomainTasks1764000000059';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "domain_task" (
      "id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "kind" text NOT NULL,
      "data" jsonb NOT NULL,
      "tries" integer NOT NULL DEFAULT 0,
      "due_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "dispatched_at" TIMESTAMP WITH TIME ZONE,
      "claim_token" uuid,
      "lease_expires_at" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "domain_task_pkey" PRIMARY KEY ("id")
    )`);
    await runner.query(`CREATE INDEX "domain_task_due_idx" ON "domain_task" ("due_at")`);
    await runner.query(`CREATE TABLE "domain_secret" (
      "tenant_id" text NOT NULL,
      "name" text NOT NULL,
      "sealed" text NOT NULL,
      CONSTRAINT "domain_secret_pkey" PRIMARY KEY ("tenant_id", "name")
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "domain_secret"`);
    await runner.query(`DROP TABLE "domain_task"`);
  }
}
