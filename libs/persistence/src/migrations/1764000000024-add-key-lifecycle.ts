import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys that end at a time, say when they were last used, and are replaced by another one while both are good. Keys from
 * before go on as they were: without an end, and as if never used.
 */
export class AddKeyLifecycle1764000000024 implements MigrationInterface {
  readonly name = 'AddKeyLifecycle1764000000024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "api_key"
      ADD "created_by" text, ADD "expires_at" TIMESTAMP WITH TIME ZONE, ADD "last_used_at" TIMESTAMP WITH TIME ZONE,
      ADD "replaced_by" text`);
    await runner.query(`CREATE INDEX "api_key_created_idx" ON "api_key" ("created_at", "id")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "api_key_created_idx"`);
    await runner.query(
      `ALTER TABLE "api_key" DROP "created_by", DROP "expires_at", DROP "last_used_at", DROP "replaced_by"`,
    );
  }
}
