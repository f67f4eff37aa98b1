import { shortId } from '../../format/ids.js';
import { eventWord, type DeliveryFilter, type Since } from '../webhooks-search.js';

const STATUS_WORDS = { pending: 'pending', delivered: 'delivered', exhausted: 'given up' } as const;
const SINCE_WORDS: Readonly<Record<Since, string>> = {
  '1h': 'of the last hour',
  '24h': 'of the last 24 hours',
  '7d': 'of the last 7 days',
};

/** A filter in words, for the question before its deliveries are sent again. Pure. */
export function filterWords({ status, event, endpoint, run, since }: DeliveryFilter): string {
  const parts = [
    status === undefined ? null : STATUS_WORDS[status],
    event === undefined ? null : `event ${eventWord(event)}`,
    endpoint === undefined ? null : `endpoint ${endpoint}`,
    run === undefined ? null : `run ${shortId(run)}`,
    since === undefined ? null : SINCE_WORDS[since],
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'all of the tenant' : parts.join(', ');
}
