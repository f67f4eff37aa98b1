/**
 * Attempts of an execution in its own row (`execution.attempts`), written by the statements that begin and end them: no
 * statement and no commit is added for it.
 */
export interface AttemptRecord {
  readonly epoch: number;
  /** As `execution.attempt` counts. */
  readonly number: number;
  /** The presence of the process that claimed it. */
  readonly worker: string;
  /** As PostgreSQL writes a time into JSON. */
  readonly started_at: string;
  /** Absent while it runs, and where it settled the execution: then its end is that of the execution. */
  readonly ended_at?: string;
  readonly end_reason?: AttemptEnd;
}

/** Ends of attempts that leave their execution unsettled. */
export const ATTEMPT_ENDS = [
  'parked',
  'released',
  'put_off',
  'cut_off',
  'postponed',
  'process_died',
  'lost',
] as const;
export type AttemptEnd = (typeof ATTEMPT_ENDS)[number];

/** Older attempts are dropped: the row stays short, since every renewal of the lease rewrites it. */
const MAX_ATTEMPTS = 50;

/** The attempts, of which the last has ended now, unless it had before. Null if none is recorded. */
export function endedAttemptsSql(e: string, end: AttemptEnd): string {
  return `jsonb_set(${e}.attempts, '{-1}',
            jsonb_build_object('ended_at', now(), 'end_reason', '${end}') || (${e}.attempts -> -1))`;
}

/**
 * The attempts with the one that begins; one that still runs by its row was lost.
 *
 * @param e a row that is about to be claimed
 * @param worker the SQL of the claiming process
 */
export function begunAttemptsSql(e: string, worker: string): string {
  const known = `coalesce(CASE ${e}.status WHEN 'running' THEN ${endedAttemptsSql(e, 'lost')} ELSE ${e}.attempts END, '[]')`;
  return `CASE WHEN jsonb_array_length(${e}.attempts) >= ${MAX_ATTEMPTS} THEN ${known} - 0 ELSE ${known} END
            || jsonb_build_object('epoch', ${e}.epoch + 1, 'number', ${e}.attempt + 1, 'worker', ${worker}, 'started_at', now())`;
}
