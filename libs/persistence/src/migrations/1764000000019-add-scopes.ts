import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts, audit, usage and late outcomes say which loop of their execution they are of; everything until now is of the root, `''`. */
export class AddScopes1764000000019 implements MigrationInterface {
  readonly name = 'AddScopes1764000000019';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['journal_entry', 'run_step', 'usage_log', 'late_evidence'])
      await runner.query(`ALTER TABLE "${table}" ADD "scope" text NOT NULL DEFAULT ''`);
    for (const { table, oldKey, key, columns } of KEYS) {
      await runner.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${oldKey}"`);
      await runner.query(
        `ALTER TABLE "${table}" ADD CONSTRAINT "${key}" PRIMARY KEY ("execution_id", "scope", ${columns})`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, oldKey, key, columns } of KEYS) {
      await runner.query(`DELETE FROM "${table}" WHERE "scope" <> ''`);
      await runner.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${key}"`);
      await runner.query(
        `ALTER TABLE "${table}" ADD CONSTRAINT "${oldKey}" PRIMARY KEY ("execution_id", ${columns})`,
      );
    }
    for (const table of ['journal_entry', 'run_step', 'usage_log', 'late_evidence'])
      await runner.query(`ALTER TABLE "${table}" DROP "scope"`);
  }
}

const KEYS = [
  {
    table: 'run_step',
    oldKey: 'PK_c29482b07f7946d055c4fe828ca',
    key: 'run_step_pkey',
    columns: '"round", "position"',
  },
  { table: 'usage_log', oldKey: 'usage_log_pkey', key: 'usage_log_pkey', columns: '"round", "try_number"' },
  {
    table: 'late_evidence',
    oldKey: 'late_evidence_pkey',
    key: 'late_evidence_pkey',
    columns: '"round", "position", "claim_token"',
  },
];
