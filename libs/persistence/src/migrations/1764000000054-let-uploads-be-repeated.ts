import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a client names a request by that makes a document or a file, so that it may be repeated. */
export class LetUploadsBeRepeated1764000000054 implements MigrationInterface {
  readonly name = 'LetUploadsBeRepeated1764000000054';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(
        `ALTER TABLE "${table}" ADD "idempotency_key" character varying(255), ADD "request_sha256" text`,
      );
      await runner.query(
        `CREATE UNIQUE INDEX "${table}_idempotency_idx" ON "${table}" ("tenant_id", "idempotency_key") WHERE "idempotency_key" IS NOT NULL`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP INDEX "${table}_idempotency_idx"`);
      await runner.query(
        `ALTER TABLE "${table}" DROP COLUMN "request_sha256", DROP COLUMN "idempotency_key"`,
      );
    }
  }
}

const TABLES = ['document', 'file'] as const;
