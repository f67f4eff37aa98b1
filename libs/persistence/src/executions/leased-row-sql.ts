/** SQL fragments for tables of {@link LeasedRow}; `x` is the row. */

/** True without a valid lease. */
export const IS_UNHELD = `(x.lease_expires_at IS NULL OR x.lease_expires_at < now())`;

/** Neither sent recently nor leased. `milliseconds`: a parameter, such as `$2`. */
export function isFreeSql(milliseconds: `$${number}`): string {
  return `${IS_UNHELD}
  AND (x.dispatched_at IS NULL OR x.dispatched_at < now() - ${milliseconds}::int * interval '1 millisecond')`;
}

/** Assignments that postpone the next try by `milliseconds`. */
export function putOffSql(milliseconds: `$${number}`): string {
  return `due_at = now() + ${milliseconds} * interval '1 millisecond', claim_token = NULL, lease_expires_at = NULL`;
}

/** Assignments of a claim: the next try, under `token`, with a lease of `milliseconds`. */
export function claimSql(token: `$${number}`, milliseconds: `$${number}`): string {
  return `tries = tries + 1, claim_token = ${token}, dispatched_at = NULL,
          lease_expires_at = now() + ${milliseconds} * interval '1 millisecond'`;
}
