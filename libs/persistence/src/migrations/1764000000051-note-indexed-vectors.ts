import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which vectors stand in an index of `pgvector`, where that is there; all of it works, and is of no use, without. */
export class NoteIndexedVectors1764000000051 implements MigrationInterface {
  readonly name = 'NoteIndexedVectors1764000000051';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Made by `migrate` where the extension is there.
    await runner.query(`DROP TABLE IF EXISTS "embedding_half"`);
    await runner.query(`DROP TABLE "vector_index"`);
    await runner.query(`DROP INDEX "embedding_unindexed_idx"`);
    await runner.query(`ALTER TABLE "embedding" DROP COLUMN "is_indexed"`);
  }
}

const statements = [
  `ALTER TABLE "embedding" ADD COLUMN "is_indexed" boolean NOT NULL DEFAULT false`,
  `CREATE INDEX "embedding_unindexed_idx" ON "embedding" ("model", "dimensions", "tenant_id", "llm_id") WHERE NOT "is_indexed"`,
  `CREATE TABLE "vector_index" (
      "model" text NOT NULL,
      "dimensions" integer NOT NULL,
      "vectors" bigint NOT NULL DEFAULT '0',
      CONSTRAINT "vector_index_pkey" PRIMARY KEY ("model", "dimensions")
    )`,
];
