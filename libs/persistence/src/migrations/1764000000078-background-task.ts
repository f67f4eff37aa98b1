import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One table for work outside of the database: what domains order, and tokens that are to be revoked. */
export class BackgroundTask1764000000078 implements MigrationInterface {
  readonly name = 'BackgroundTask1764000000078';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE domain_task RENAME TO background_task;
      ALTER TABLE background_task RENAME CONSTRAINT domain_task_pkey TO background_task_pkey;
      ALTER INDEX domain_task_due_idx RENAME TO background_task_due_idx;
      INSERT INTO background_task (id, tenant_id, kind, data, tries, due_at)
      SELECT connection_id, tenant_id, 'revoke-tokens',
             jsonb_build_object('serverId', server_id, 'auth', auth, 'literalsSealed', literals_sealed,
                                'grantSealed', grant_sealed),
             tries, due_at
        FROM token_revocation;
      DROP TABLE token_revocation`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE token_revocation (
        due_at timestamptz NOT NULL DEFAULT now(),
        dispatched_at timestamptz,
        claim_token uuid,
        lease_expires_at timestamptz,
        connection_id uuid NOT NULL,
        tenant_id text NOT NULL,
        server_id uuid NOT NULL,
        auth jsonb,
        literals_sealed text,
        grant_sealed text NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        CONSTRAINT token_revocation_pkey PRIMARY KEY (connection_id)
      );
      CREATE INDEX token_revocation_due_idx ON token_revocation (due_at);
      WITH moved AS (DELETE FROM background_task WHERE kind = 'revoke-tokens' RETURNING *)
      INSERT INTO token_revocation (connection_id, tenant_id, server_id, auth, literals_sealed, grant_sealed, tries, due_at)
      SELECT id, tenant_id, (data ->> 'serverId')::uuid, nullif(data -> 'auth', 'null'), data ->> 'literalsSealed',
             data ->> 'grantSealed', tries, due_at
        FROM moved;
      ALTER TABLE background_task RENAME TO domain_task;
      ALTER TABLE domain_task RENAME CONSTRAINT background_task_pkey TO domain_task_pkey;
      ALTER INDEX background_task_due_idx RENAME TO domain_task_due_idx`);
  }
}
