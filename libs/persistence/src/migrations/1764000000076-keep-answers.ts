import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers to requests under an idempotency key, where what they make does not keep the key itself. */
export class KeepAnswers1764000000076 implements MigrationInterface {
  readonly name = 'KeepAnswers1764000000076';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "kept_answer" (
      "tenant_id" text NOT NULL,
      "key" character varying(255) NOT NULL,
      "request_hash" text NOT NULL,
      "claim" uuid NOT NULL,
      "claimed_until" TIMESTAMP WITH TIME ZONE NOT NULL,
      "status" integer,
      "headers" jsonb,
      "body" text,
      "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "kept_answer_pkey" PRIMARY KEY ("tenant_id", "key")
    )`);
    await runner.query(`CREATE INDEX "kept_answer_expires_idx" ON "kept_answer" ("expires_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "kept_answer"`);
  }
}
