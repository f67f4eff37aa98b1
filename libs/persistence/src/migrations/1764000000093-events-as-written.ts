import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events are kept as the text that was written. The table holds hours of events, so that it is soon written anew. */
export class EventsAsWritten1764000000093 implements MigrationInterface {
  readonly name = 'EventsAsWritten1764000000093';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE execution_event ALTER COLUMN data TYPE json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE execution_event ALTER COLUMN data TYPE jsonb');
  }
}
