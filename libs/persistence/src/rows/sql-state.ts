const UNIQUE_VIOLATION = '23505';
/** PostgreSQL has a state of its own for references with `RESTRICT` from version 18 on. */
const STILL_REFERRED_TO: ReadonlySet<unknown> = new Set(['23503', '23001']);

/** True where a statement failed because a unique key is taken. */
export function isTaken(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION;
}

/** True where a row was not deleted because another row refers to it. */
export function isReferredTo(error: unknown): boolean {
  return STILL_REFERRED_TO.has(sqlStateOf(error));
}

/** SQLSTATE of an error of the database; null for any other error. */
function sqlStateOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
