-- Indexes and storage that entities cannot describe (`synchronize: false` there).
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

CREATE INDEX IF NOT EXISTS execution_metadata_idx ON execution USING gin (metadata jsonb_path_ops)
  WHERE metadata <> '{}'::jsonb;
CREATE INDEX IF NOT EXISTS execution_executor_idx ON execution (tenant_id, (request #>> '{executor,user_id}'), id)
  WHERE request #>> '{executor,user_id}' IS NOT NULL;
CREATE INDEX IF NOT EXISTS chunk_search_idx ON chunk USING gin (search);

-- Renewals of leases change no indexed column and stay on their page.
ALTER TABLE execution SET (fillfactor = 70);
-- Vectors are read whole and hardly compress.
ALTER TABLE embedding ALTER COLUMN vector SET STORAGE EXTERNAL;
-- Not written to the WAL: they may be lost with a crash of PostgreSQL.
ALTER TABLE execution_event SET UNLOGGED;
ALTER TABLE rate_limit SET UNLOGGED;
