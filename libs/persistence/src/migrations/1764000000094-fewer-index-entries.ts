import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fewer index entries of a run: usage is found by executions, and the end of a turn stays on the page of its session. */
export class FewerIndexEntries1764000000094 implements MigrationInterface {
  readonly name = 'FewerIndexEntries1764000000094';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX usage_log_session_idx; ALTER TABLE chat_session SET (fillfactor = 80)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE chat_session RESET (fillfactor);
      CREATE INDEX usage_log_session_idx ON usage_log (session_id)`);
  }
}
