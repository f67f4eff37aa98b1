import type { QueueBackend } from '../../support/services/deployment.js';
import { serviceAddress } from '../../support/services/service-address.js';

/** `npm run crash:all` and `npm run crash:matrix`: every case with either queue. */
export const IS_WHOLE = process.env['CRASH_MATRIX'] === 'full';

/** Where there is no Redis, one queue meets each case. */
const IS_ALONE = serviceAddress('CAPSTAN_TEST_REDIS_URL') === undefined;
const FIRST: Readonly<Record<QueueBackend, number>> = { postgres: 0, redis: 1 };

/**
 * Of the cases of a table those that meet this queue: every other one, so that both queues together meet each of them. All
 * of them where everything is met.
 */
export function shareOf<Case>(
  backend: QueueBackend,
  cases: readonly Case[],
  isWhole = IS_WHOLE || IS_ALONE,
): readonly Case[] {
  return isWhole ? cases : cases.filter((_case, index) => index % 2 === FIRST[backend]);
}
