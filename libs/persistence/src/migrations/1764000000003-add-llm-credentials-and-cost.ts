import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Model configurations get credentials and prices of their own, usage gets its cost. */
export class AddLlmCredentialsAndCost1764000000003 implements MigrationInterface {
  readonly name = 'AddLlmCredentialsAndCost1764000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "llm"
      ADD "credentials" jsonb NOT NULL DEFAULT '{}',
      ADD "api_key_sealed" text,
      ADD "api_key_hint" text,
      ADD "pricing" jsonb`);
    await runner.query(`ALTER TABLE "usage_log" ADD "cost_usd" numeric`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "usage_log" DROP "cost_usd"`);
    await runner.query(
      `ALTER TABLE "llm" DROP "credentials", DROP "api_key_sealed", DROP "api_key_hint", DROP "pricing"`,
    );
  }
}
