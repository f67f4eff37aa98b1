/** One channel for all executions; the payload is the execution's id. */
export const CHANNEL = 'capstan_events';

/**
 * One statement, so one round trip and no moment between the rows and their notification, which PostgreSQL delivers at
 * the commit. Answers one row when the batch was appended, none when its first number or a higher one is taken.
 */
export const APPEND = `
  with appended as (
    insert into execution_event (execution_id, sequence, event, data)
    select $1::uuid, $2::int + item.ordinality::int - 1, item.event, item.data::jsonb
    from unnest($3::text[], $4::text[]) with ordinality as item (event, data, ordinality)
    where not exists (select from execution_event where execution_id = $1::uuid and sequence >= $2::int)
    returning sequence
  )
  select pg_notify('${CHANNEL}', $1::text) from (select from appended limit 1) as any_of_them`;

export const LAST_ID = `
  select coalesce(max(sequence), 0) as id from execution_event where execution_id = $1::uuid`;

export const READ_AFTER = `
  select sequence as id, event, data from execution_event
  where execution_id = $1::uuid and sequence > $2::int order by sequence limit $3::int`;

export const DELETE = `delete from execution_event where execution_id = $1::uuid`;

/** Spelt out at each use, not named once in the statement: only so can the planner estimate how few rows are that old. */
const CUTOFF = 'now() - make_interval(secs => $1::float8)';

/** Looks at old rows (by the index on `created_at`) and their executions only, however many events are younger. */
export const EXPIRE = `
  delete from execution_event where execution_id in (
    select execution_id
    from (select distinct execution_id from execution_event where created_at <= ${CUTOFF}) as old
    where not exists (
      select from execution_event as later
      where later.execution_id = old.execution_id and later.created_at > ${CUTOFF}
    )
  )`;
