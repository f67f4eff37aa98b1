import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Release, roles and start of draining in the list of workers. */
export class ShownWorkers1764000000081 implements MigrationInterface {
  readonly name = 'ShownWorkers1764000000081';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE worker ADD release text, ADD roles text[] NOT NULL DEFAULT '{}', ADD draining_since timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE worker DROP release, DROP roles, DROP draining_since`);
  }
}
