import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people tried of tool servers, for the audit. */
export class AddToolTrials1764000000035 implements MigrationInterface {
  readonly name = 'AddToolTrials1764000000035';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "tool_trial" (
      "id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "server_id" uuid NOT NULL,
      "tool_name" text,
      "input" jsonb,
      "tokens_sealed" text,
      "asked_by" text,
      "status" text NOT NULL DEFAULT 'asked',
      "answer" jsonb,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "finished_at" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "tool_trial_status_check" CHECK ("status" IN ('asked', 'running', 'done', 'abandoned')),
      CONSTRAINT "tool_trial_pkey" PRIMARY KEY ("id")
    )`);
    await runner.query(`CREATE INDEX "tool_trial_created_idx" ON "tool_trial" ("created_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "tool_trial"`);
  }
}
