import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a person looks for in documents, from the question to the answer of a worker. */
export class AddDocumentSearches1764000000050 implements MigrationInterface {
  readonly name = 'AddDocumentSearches1764000000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "document_search" (
      "id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "datasource_id" integer NOT NULL,
      "search" jsonb NOT NULL,
      "taken_at" TIMESTAMP WITH TIME ZONE,
      "outcome" jsonb,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "document_search_pkey" PRIMARY KEY ("id")
    )`);
    await runner.query(`CREATE INDEX "document_search_created_idx" ON "document_search" ("created_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "document_search"`);
  }
}
