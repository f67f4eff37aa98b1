import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files in the workspaces of sessions, and the tool calls that have written them. */
export class WorkspaceFiles1764000000085 implements MigrationInterface {
  readonly name = 'WorkspaceFiles1764000000085';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workspace_file (
        session_id uuid NOT NULL,
        path text NOT NULL,
        tenant_id text NOT NULL,
        size_bytes integer NOT NULL,
        content_hash bytea NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT workspace_file_pkey PRIMARY KEY (session_id, path),
        CONSTRAINT workspace_file_session_fkey FOREIGN KEY (session_id) REFERENCES chat_session (id) ON DELETE CASCADE
      );
      CREATE TABLE workspace_write (
        session_id uuid NOT NULL,
        call_key text NOT NULL,
        tenant_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT workspace_write_pkey PRIMARY KEY (session_id, call_key),
        CONSTRAINT workspace_write_session_fkey FOREIGN KEY (session_id) REFERENCES chat_session (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE workspace_write; DROP TABLE workspace_file');
  }
}
