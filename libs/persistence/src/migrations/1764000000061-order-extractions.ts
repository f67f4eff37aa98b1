import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions of which something is still to be learnt. */
export class OrderExtractions1764000000061 implements MigrationInterface {
  readonly name = 'OrderExtractions1764000000061';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "memory_extraction"`);
  }
}

const statements = [
  `CREATE TABLE "memory_extraction" (
      "execution_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "executor_id" character varying(200) NOT NULL,
      "agent_id" integer NOT NULL,
      "tries" integer NOT NULL DEFAULT 0,
      "recorded_try" integer NOT NULL DEFAULT 0,
      "due_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "dispatched_at" TIMESTAMP WITH TIME ZONE,
      "claim_token" uuid,
      "lease_expires_at" TIMESTAMP WITH TIME ZONE,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "ended_at" TIMESTAMP WITH TIME ZONE,
      "outcome" text,
      CONSTRAINT "memory_extraction_pkey" PRIMARY KEY ("execution_id"),
      CONSTRAINT "memory_extraction_execution_fkey" FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE
    )`,
  `CREATE INDEX "memory_extraction_due_idx" ON "memory_extraction" ("due_at") WHERE "ended_at" IS NULL`,
  `CREATE INDEX "memory_extraction_line_idx" ON "memory_extraction" ("tenant_id", "executor_id", "created_at", "execution_id")
    WHERE "ended_at" IS NULL`,
];
