/** Pieces of statements over tables of {@link LeasedRow}, whose rows are tries at something. `x` is the row. */

/** Nobody is at it. */
export const IS_UNHELD = `(x.lease_expires_at IS NULL OR x.lease_expires_at < now())`;

/** Neither sent to the queue a short while ago nor held. `milliseconds`: a parameter, such as `$2`. */
export function isFreeSql(milliseconds: `$${number}`): string {
  return `${IS_UNHELD}
  AND (x.dispatched_at IS NULL OR x.dispatched_at < now() - ${milliseconds}::int * interval '1 millisecond')`;
}

/** What a try sets that is to be tried again after so many milliseconds. */
export function putOffSql(milliseconds: `$${number}`): string {
  return `due_at = now() + ${milliseconds} * interval '1 millisecond', claim_token = NULL, lease_expires_at = NULL`;
}

/** What a claim sets: the next try, under the token `token`, for `milliseconds`. */
export function claimSql(token: `$${number}`, milliseconds: `$${number}`): string {
  return `tries = tries + 1, claim_token = ${token}, dispatched_at = NULL,
          lease_expires_at = now() + ${milliseconds} * interval '1 millisecond'`;
}
