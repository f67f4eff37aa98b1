/** One channel for all executions; the payload is the execution's id. */
export const CHANNEL = 'capstan_events';

/**
 * One statement, so one round trip and no moment between the rows and their notification, which PostgreSQL delivers at
 * the commit. Answers one row when the batch was appended, none when its first number or a higher one is taken.
 */
export const APPEND = `
  WITH appended AS (
    INSERT INTO execution_event (execution_id, sequence, event, data)
    SELECT $1::uuid, $2::int + item.ordinality::int - 1, item.event, item.data::jsonb
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS item (event, data, ordinality)
    WHERE NOT EXISTS (SELECT FROM execution_event WHERE execution_id = $1::uuid AND sequence >= $2::int)
    RETURNING sequence
  )
  SELECT pg_notify('${CHANNEL}', $1::text) FROM (SELECT FROM appended LIMIT 1) AS any_of_them`;

export const LAST_ID = `
  SELECT coalesce(max(sequence), 0) AS id FROM execution_event WHERE execution_id = $1::uuid`;

export const READ_AFTER = `
  SELECT sequence AS id, event, data FROM execution_event
  WHERE execution_id = $1::uuid AND sequence > $2::int ORDER BY sequence LIMIT $3::int`;

export const DELETE = `DELETE FROM execution_event WHERE execution_id = $1::uuid`;

/** Spelt out at each use, not named once in the statement: only so can the planner estimate how few rows are that old. */
const CUTOFF = 'now() - make_interval(secs => $1::float8)';

/** Looks at old rows (by the index on `created_at`) and their executions only, however many events are younger. */
export const EXPIRE = `
  DELETE FROM execution_event WHERE execution_id IN (
    SELECT execution_id
    FROM (SELECT DISTINCT execution_id FROM execution_event WHERE created_at <= ${CUTOFF}) AS old
    WHERE NOT EXISTS (
      SELECT FROM execution_event AS later
      WHERE later.execution_id = old.execution_id AND later.created_at > ${CUTOFF}
    )
  )`;
