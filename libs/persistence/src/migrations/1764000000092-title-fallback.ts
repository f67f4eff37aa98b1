import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The try from which a title asks the fallback, so that it outlives the worker that has found the model away. */
export class TitleFallback1764000000092 implements MigrationInterface {
  readonly name = 'TitleFallback1764000000092';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session_title ADD COLUMN fallback_from integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session_title DROP COLUMN fallback_from');
  }
}
