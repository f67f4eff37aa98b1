import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Generations of documents say which of their text has no chunk; of those that were read before, it is not known. */
export class AddDocumentWarnings1764000000072 implements MigrationInterface {
  readonly name = 'AddDocumentWarnings1764000000072';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "document_ingestion" ADD "warnings" jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "document_ingestion" DROP COLUMN "warnings"`);
  }
}
