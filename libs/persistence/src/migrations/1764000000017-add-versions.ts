import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents and model configurations count their changes, so that a client can change just what it has read. */
export class AddVersions1764000000017 implements MigrationInterface {
  readonly name = 'AddVersions1764000000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "agent" ADD "version" integer NOT NULL DEFAULT 1`);
    await runner.query(`ALTER TABLE "llm" ADD "version" integer NOT NULL DEFAULT 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "llm" DROP "version"`);
    await runner.query(`ALTER TABLE "agent" DROP "version"`);
  }
}
