import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSchema } from '../read-schema.js';

/** Tables first, then the functions and triggers that read them. */
const FILES = [
  'initial-tables',
  'special-indexes',
  'retry-delay',
  'settled-executions',
  'session-line',
  'agent-versions',
  'fair-shares',
  'queue-room',
  'webhook-room',
];

/** Every table, index, function and trigger, and the tenant `default`. */
export class CreateSchema1764000000000 implements MigrationInterface {
  readonly name = 'CreateSchema1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const name of FILES) await runner.query(readSchema(name));
    await runner.query(`INSERT INTO "tenant" ("id", "name") VALUES ('default', 'default')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(readSchema('drop-all'));
  }
}
