import type { ModelRequestRecord, TimeSpan } from '../ledgers/chaos-world.js';

/**
 * A claim is committed without a flush, so a crash of the database may forget the claim and its number after the attempt has
 * sent a request to the model. Each crash can forget one request per round of a loop, sent shortly before it. Counts the
 * requests of one round that may be forgotten in this way.
 */
export function countForgottenAsks(
  requests: readonly Pick<ModelRequestRecord, 'at'>[],
  lostTails: readonly TimeSpan[],
): number {
  return lostTails.filter(({ from, to }) => requests.some(({ at }) => from <= at && at <= to)).length;
}
