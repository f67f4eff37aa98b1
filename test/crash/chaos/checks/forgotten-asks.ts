import type { ModelRequestRecord, TimeSpan } from '../ledgers/chaos-world.js';

/**
 * Nobody waits for the disk to have a claim, so a crash of the database may forget it, with its number, after its attempt
 * has asked the model. Of one round of one loop that is one request for each crash, and it came just before. Answers how
 * many of these requests of one round may be forgotten ones.
 */
export function countForgottenAsks(
  requests: readonly Pick<ModelRequestRecord, 'at'>[],
  lostTails: readonly TimeSpan[],
): number {
  return lostTails.filter(({ from, to }) => requests.some(({ at }) => from <= at && at <= to)).length;
}
