import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secrets of requests are kept sealed for as long as their executions run, and apart from everything that is shown. */
export class AddExecutionTokens1764000000036 implements MigrationInterface {
  readonly name = 'AddExecutionTokens1764000000036';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "execution_token" (
      "execution_id" uuid NOT NULL,
      "name" text NOT NULL,
      "tenant_id" text NOT NULL,
      "sealed" text NOT NULL,
      "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "execution_token_pkey" PRIMARY KEY ("execution_id", "name"),
      CONSTRAINT "execution_token_execution_fkey" FOREIGN KEY ("execution_id") REFERENCES "execution" ("id") ON DELETE CASCADE
    )`);
    await runner.query(`CREATE INDEX "execution_token_expiry_idx" ON "execution_token" ("expires_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "execution_token"`);
  }
}
