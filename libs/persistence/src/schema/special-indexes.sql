-- Indexes and storage that entities cannot describe (`synchronize: false` there).
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

CREATE INDEX IF NOT EXISTS execution_metadata_idx ON execution USING gin (metadata jsonb_path_ops)
  WHERE metadata <> '{}'::jsonb;
CREATE INDEX IF NOT EXISTS execution_executor_idx ON execution (tenant_id, (request #>> '{executor,user_id}'), id)
  WHERE request #>> '{executor,user_id}' IS NOT NULL;
-- Only what has settled is in these: a row that changes no more is indexed once.
CREATE INDEX IF NOT EXISTS execution_error_idx ON execution (tenant_id, (error ->> 'code'), id) WHERE error IS NOT NULL;
CREATE INDEX IF NOT EXISTS execution_cost_idx ON execution (tenant_id, ((usage ->> 'total_cost_usd')::numeric))
  WHERE usage IS NOT NULL;
CREATE INDEX IF NOT EXISTS execution_duration_idx ON execution (tenant_id, (finished_at - started_at))
  WHERE finished_at IS NOT NULL;
-- The planner takes no statistics from a partial index; without these it takes every range for a third of all rows.
CREATE STATISTICS IF NOT EXISTS execution_error_stat ON (error ->> 'code') FROM execution;
CREATE STATISTICS IF NOT EXISTS execution_cost_stat ON ((usage ->> 'total_cost_usd')::numeric) FROM execution;
CREATE STATISTICS IF NOT EXISTS execution_duration_stat ON (finished_at - started_at) FROM execution;
-- By trigrams, where the server has the extension and lets the role create it. Running this file later makes up for it.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX IF NOT EXISTS execution_input_idx ON execution USING gin (left(request ->> 'input', 1000) gin_trgm_ops)
      WHERE status IN ('completed', 'incomplete', 'failed', 'cancelled');
  END IF;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;
CREATE INDEX IF NOT EXISTS chunk_search_idx ON chunk USING gin (search);

-- Renewals of leases change no indexed column and stay on their page.
ALTER TABLE execution SET (fillfactor = 70);
-- The end of a turn changes no indexed column of its session.
ALTER TABLE chat_session SET (fillfactor = 80);
-- Vectors are read whole and hardly compress.
ALTER TABLE embedding ALTER COLUMN vector SET STORAGE EXTERNAL;
-- Not written to the WAL: they may be lost with a crash of PostgreSQL.
ALTER TABLE execution_event SET UNLOGGED;
ALTER TABLE rate_limit SET UNLOGGED;
