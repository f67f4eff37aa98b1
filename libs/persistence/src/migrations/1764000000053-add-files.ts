import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files that tenants upload. */
export class AddFiles1764000000053 implements MigrationInterface {
  readonly name = 'AddFiles1764000000053';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Their blobs are removed as those of documents are. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO "blob_disposal" ("tenant_id", "blob_key") SELECT "tenant_id", "blob_key" FROM "file"`,
    );
    await runner.query(`DROP TABLE "file"`);
  }
}

const statements = [
  `CREATE TABLE "file" (
      "id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "name" character varying(500) NOT NULL,
      "media_type" text NOT NULL,
      "size_bytes" bigint NOT NULL,
      "content_hash" bytea NOT NULL,
      "blob_key" text NOT NULL,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "file_pkey" PRIMARY KEY ("id"),
      CONSTRAINT "file_tenant_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT
    )`,
  `CREATE INDEX "file_tenant_idx" ON "file" ("tenant_id", "id")`,
  `CREATE INDEX "file_media_type_idx" ON "file" ("tenant_id", "media_type", "id")`,
  `CREATE INDEX "file_expiry_idx" ON "file" ("expires_at")`,
];
