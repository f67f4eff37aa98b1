import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Metadata of sessions with the index of lists by it, and resources that are managed by files, with indexes by name. */
export class ManagedResources1764000000086 implements MigrationInterface {
  readonly name = 'ManagedResources1764000000086';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE chat_session ADD metadata jsonb NOT NULL DEFAULT '{}';
      CREATE INDEX chat_session_metadata_idx ON chat_session USING gin (metadata jsonb_path_ops)
        WHERE metadata <> '{}'::jsonb;
      CREATE INDEX agent_name_idx ON agent (tenant_id, name);
      CREATE INDEX llm_name_idx ON llm (tenant_id, name);
      CREATE TABLE managed_resource (
        tenant_id text NOT NULL,
        kind text NOT NULL,
        resource_id text NOT NULL,
        managed_by varchar(100) NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT managed_resource_pkey PRIMARY KEY (tenant_id, kind, resource_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE managed_resource;
      DROP INDEX llm_name_idx;
      DROP INDEX agent_name_idx;
      ALTER TABLE chat_session DROP metadata`);
  }
}
