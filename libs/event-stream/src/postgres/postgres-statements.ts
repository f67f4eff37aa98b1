/** One channel for all executions; a payload names some of them. */
export const CHANNEL = 'capstan_events';

/**
 * The events of many executions in one statement, so one round trip and no moment between the rows and their
 * notification, which PostgreSQL delivers at the commit. $1, $2: the execution and the first number of each append; $3 to
 * $6: of each event the place of its append, counted from 1, its number, name and data; $7, $8: of each append the message
 * that announces it, and its line there. Answers the places of those that were appended, and announces no others: not of
 * those whose first number, or a higher one, is taken. In the order of the keys, so that two processes which write the same
 * executions do not wait for each other.
 */
export const APPEND = `
  WITH free AS MATERIALIZED (
    SELECT append.place, append.execution_id
    FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS append (execution_id, first_id, place)
    WHERE NOT EXISTS (
      SELECT FROM (
        SELECT max(sequence) AS id FROM execution_event WHERE execution_id = append.execution_id
      ) AS last WHERE last.id >= append.first_id
    )
  ), appended AS (
    INSERT INTO execution_event (execution_id, sequence, event, data)
    SELECT free.execution_id, item.sequence, item.event, item.data::jsonb
    FROM unnest($3::int[], $4::int[], $5::text[], $6::text[]) AS item (place, sequence, event, data)
    JOIN free ON free.place = item.place
    ORDER BY free.execution_id, item.sequence
  )
  SELECT ARRAY (SELECT place::int FROM free) AS places,
         (SELECT count(pg_notify('${CHANNEL}', lines)) FROM (
           SELECT string_agg(announced.line, E'\\n' ORDER BY announced.place) AS lines
           FROM unnest($7::int[], $8::text[]) WITH ORDINALITY AS announced (message, line, place)
           JOIN free ON free.place = announced.place
           GROUP BY announced.message ORDER BY announced.message
         ) AS messages)`;

export const LAST_ID = `
  SELECT coalesce(max(sequence), 0) AS id FROM execution_event WHERE execution_id = $1::uuid`;

export const READ_AFTER = `
  SELECT sequence AS id, event, data FROM execution_event
  WHERE execution_id = $1::uuid AND sequence > $2::int ORDER BY sequence LIMIT $3::int`;

/** Of the streams $1 those with an event after the number $2: one look into the index for each. */
export const FIND_GROWN = `
  SELECT seen.execution_id AS id FROM unnest($1::uuid[], $2::int[]) AS seen (execution_id, last_id)
  WHERE (SELECT max(sequence) FROM execution_event WHERE execution_id = seen.execution_id) > seen.last_id`;

export const DELETE = `DELETE FROM execution_event WHERE execution_id = $1::uuid`;

/** Spelt out at each use, not named once in the statement: only so can the planner estimate how few rows are that old. */
const CUTOFF = 'now() - make_interval(secs => $1::float8)';

/**
 * Looks at old rows (by the index on `created_at`) and their executions only, however many events are younger. Its mark
 * keeps a pool that prepares statements from keeping a plan that knows nothing of the age.
 */
export const EXPIRE = `/* planned anew */
  DELETE FROM execution_event WHERE execution_id IN (
    SELECT execution_id
    FROM (SELECT DISTINCT execution_id FROM execution_event WHERE created_at <= ${CUTOFF}) AS old
    WHERE NOT EXISTS (
      SELECT FROM execution_event AS later
      WHERE later.execution_id = old.execution_id AND later.created_at > ${CUTOFF}
    )
  )`;
