import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts of an execution, effects of its calls, and an index of decisions, for the timeline. */
export class Timeline1764000000079 implements MigrationInterface {
  readonly name = 'Timeline1764000000079';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE execution ADD attempts jsonb;
      ALTER TABLE run_step ADD effect text;
      CREATE INDEX journal_entry_decision_idx ON journal_entry (execution_id, sequence)
        WHERE kind IN ('approval_decided', 'outcome_reported')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX journal_entry_decision_idx;
      ALTER TABLE run_step DROP effect;
      ALTER TABLE execution DROP attempts`);
  }
}
