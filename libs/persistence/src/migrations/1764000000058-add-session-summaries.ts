import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conversations keep their length: tokens beside each message, and a summary for what has left the window. */
export class AddSessionSummaries1764000000058 implements MigrationInterface {
  readonly name = 'AddSessionSummaries1764000000058';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "chat_message" ADD COLUMN "tokens" integer, ADD COLUMN "tokenizer" text`);
    await runner.query(`CREATE TABLE "session_summary" (
      "session_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "first_turn" integer NOT NULL,
      "through_turn" integer NOT NULL,
      "version" integer NOT NULL,
      "content" text NOT NULL,
      "tokens" integer NOT NULL,
      "model" text NOT NULL,
      "written_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "session_summary_pkey" PRIMARY KEY ("session_id"),
      CONSTRAINT "session_summary_session_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_session"("id") ON DELETE CASCADE
    )`);
    await runner.query(`CREATE TABLE "session_summary_order" (
      "session_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "execution_id" uuid NOT NULL,
      "model" text NOT NULL,
      "most_messages" integer NOT NULL,
      "most_tokens" integer NOT NULL,
      "tries" integer NOT NULL DEFAULT 0,
      "due_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "dispatched_at" TIMESTAMP WITH TIME ZONE,
      "claim_token" uuid,
      "lease_expires_at" TIMESTAMP WITH TIME ZONE,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "session_summary_order_pkey" PRIMARY KEY ("session_id"),
      CONSTRAINT "session_summary_order_session_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_session"("id") ON DELETE CASCADE
    )`);
    await runner.query(`CREATE INDEX "session_summary_order_due_idx" ON "session_summary_order" ("due_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "session_summary_order"`);
    await runner.query(`DROP TABLE "session_summary"`);
    await runner.query(`ALTER TABLE "chat_message" DROP COLUMN "tokenizer", DROP COLUMN "tokens"`);
  }
}
