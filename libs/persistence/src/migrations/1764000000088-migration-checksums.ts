import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checksums of the SQL files of domains that have run, beside their names; null for other migrations. */
export class MigrationChecksums1764000000088 implements MigrationInterface {
  readonly name = 'MigrationChecksums1764000000088';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE schema_migration ADD checksum text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE schema_migration DROP checksum');
  }
}
