import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The address at which a worker takes executions that the API has claimed for it. */
export class AssignedExecutions1764000000095 implements MigrationInterface {
  readonly name = 'AssignedExecutions1764000000095';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE worker ADD address text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE worker DROP address');
  }
}
