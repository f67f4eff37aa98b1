import type pg from 'pg';
import { queryRows, type Queryable } from '../sql.js';

/** The oldest `pgvector` that works: half precision came with 0.7, iterative scans behind a filter with 0.8. */
const MIN_VERSION = [0, 8] as const;

/** Whether there is a table for indexes of `pgvector`; without the extension, or without `migrate` since, there is none. */
export async function hasVectorIndexTable(manager: Queryable): Promise<boolean> {
  const [found] = await queryRows<{ isThere: boolean }>(manager, IS_THERE_SQL);
  return found?.isThere === true;
}

/**
 * Makes the table of vectors that `pgvector` indexes, where a database has that extension; does nothing where it has none,
 * or one that is too old. The vectors stay in `embedding`: the table is made of them, and may be dropped at any time.
 */
export async function prepareVectorIndexTable(client: pg.Client): Promise<void> {
  const extensions = await client.query<{ version: string }>(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`,
  );
  const version = extensions.rows[0]?.version;
  if (version === undefined || !isRecent(version)) return;
  const tables = await client.query<{ isThere: boolean }>(IS_THERE_SQL);
  await client.query(tables.rows[0]?.isThere === true ? RECOUNT_SQL : CREATE_SQL);
}

/** Pure: `0.8.1` is. */
export function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = MIN_VERSION;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** After `DROP EXTENSION … CASCADE` a table without the column is left. */
const IS_THERE_SQL = `
  SELECT EXISTS (
    SELECT 1 FROM pg_attribute
     WHERE attrelid = to_regclass('embedding_half') AND attname = 'half' AND NOT attisdropped
  ) AS "isThere"`;

/** Sent at once, and so one transaction, which also resets the records of an index in a table that is gone. */
const CREATE_SQL = `
  DROP TABLE IF EXISTS embedding_half;
  CREATE TABLE embedding_half (
    tenant_id text NOT NULL,
    llm_id integer NOT NULL,
    model text NOT NULL,
    dimensions integer NOT NULL,
    content_hash bytea NOT NULL,
    half halfvec NOT NULL,
    CONSTRAINT embedding_half_pkey PRIMARY KEY (tenant_id, llm_id, model, dimensions, content_hash),
    CONSTRAINT embedding_half_embedding_fkey FOREIGN KEY (tenant_id, llm_id, model, dimensions, content_hash)
      REFERENCES embedding ON DELETE CASCADE
  );
  UPDATE embedding SET is_indexed = false WHERE is_indexed;
  DELETE FROM vector_index`;

/** Counts again, since vectors that are removed do not lower the count. */
const RECOUNT_SQL = `
  UPDATE vector_index SET vectors = (
    SELECT count(*) FROM embedding_half half
     WHERE half.model = vector_index.model AND half.dimensions = vector_index.dimensions)`;
