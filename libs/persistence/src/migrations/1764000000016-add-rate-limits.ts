import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rate limits, and a scope of their own for decisions over tool calls. A key that could decide until now, since it may
 * run executions, still can; whoever wants that parted takes the scope away from it.
 */
export class AddRateLimits1764000000016 implements MigrationInterface {
  readonly name = 'AddRateLimits1764000000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE UNLOGGED TABLE "rate_limit" (
      "key" text NOT NULL,
      "points" integer NOT NULL,
      "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
    )`);
    await runner.query(
      `UPDATE "api_key" SET "scopes" = array_append("scopes", 'approvals:decide')
        WHERE 'executions:write' = ANY ("scopes") AND 'approvals:decide' <> ALL ("scopes")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE "api_key" SET "scopes" = array_remove("scopes", 'approvals:decide')`);
    await runner.query(`DROP TABLE "rate_limit"`);
  }
}
