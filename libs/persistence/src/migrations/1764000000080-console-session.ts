import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Browsers that API keys have signed in. */
export class ConsoleSession1764000000080 implements MigrationInterface {
  readonly name = 'ConsoleSession1764000000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE console_session (
        id uuid NOT NULL,
        tenant_id text NOT NULL,
        key_id text NOT NULL,
        token_sha256 text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT console_session_pkey PRIMARY KEY (id),
        CONSTRAINT console_session_key_fkey FOREIGN KEY (key_id) REFERENCES api_key (id) ON DELETE CASCADE
      );
      CREATE INDEX console_session_tenant_idx ON console_session (tenant_id, id);
      CREATE INDEX console_session_key_idx ON console_session (key_id, id);
      CREATE INDEX console_session_expires_idx ON console_session (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console_session');
  }
}
