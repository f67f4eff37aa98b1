import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every row says whose it is, also of a blob that is to be removed. */
export class SayWhoseBlobsGo1764000000048 implements MigrationInterface {
  readonly name = 'SayWhoseBlobsGo1764000000048';

  async up(runner: QueryRunner): Promise<void> {
    // Nothing is in it: documents cannot be taken in before this release.
    await runner.query(`ALTER TABLE "blob_disposal" ADD COLUMN "tenant_id" text NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "blob_disposal" DROP COLUMN "tenant_id"`);
  }
}
