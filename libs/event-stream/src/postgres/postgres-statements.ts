/** The one channel of all executions; a payload names some of them. */
export const CHANNEL = 'capstan_events';

/** Channel of announcements: a payload names executions with followers. Only processes that write events listen. */
export const FOLLOWED_CHANNEL = 'capstan_followed';

/** Sends the payload $2 to the channel $1. */
export const NOTIFY = 'SELECT pg_notify($1, $2)';

/**
 * Appends the events of many executions in one statement: one round trip, and PostgreSQL delivers the notifications
 * with the commit. $1, $2: execution and first number of each append. $3 to $6: for each event the position of its
 * append from 1, number, name and data. $7, $8: for each append its message and its line there. Returns the positions
 * that were appended and notifies only those; an append is left out if its first number, or a higher one, is taken.
 * Rows are inserted in key order, so that two processes that write the same executions do not deadlock.
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
    SELECT free.execution_id, item.sequence, item.event, item.data::json
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

/** Selects those of the streams $1 with an event after number $2, by one index lookup each. */
export const FIND_GROWN = `
  SELECT seen.execution_id AS id FROM unnest($1::uuid[], $2::int[]) AS seen (execution_id, last_id)
  WHERE (SELECT max(sequence) FROM execution_event WHERE execution_id = seen.execution_id) > seen.last_id`;

export const DELETE = `DELETE FROM execution_event WHERE execution_id = $1::uuid`;

/** Repeated at each use: only then can the planner estimate how few rows are that old. */
const CUTOFF = 'now() - make_interval(secs => $1::float8)';

/**
 * Reads only old rows, by the index on `created_at`, and their executions, however many newer events there are. The SQL
 * comment keeps a pool with prepared statements from reusing a plan made without the age.
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
