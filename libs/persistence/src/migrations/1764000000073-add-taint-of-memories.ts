import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Memories say whether they were learnt of a turn that foreign content had reached; those from before count as untainted. */
export class AddTaintOfMemories1764000000073 implements MigrationInterface {
  readonly name = 'AddTaintOfMemories1764000000073';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE "${table}" ADD "is_foreign" boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE "${table}" DROP COLUMN "is_foreign"`);
  }
}

const TABLES = ['memory', 'memory_extraction'];
