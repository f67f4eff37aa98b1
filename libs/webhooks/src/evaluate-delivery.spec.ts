import { describe, expect, it } from '@jest/globals';
import { evaluateDelivery, type DeliveryVerdict } from './evaluate-delivery.js';
import type { SendResult } from './webhook-sender.js';

const answered = (statusCode: number, retryAfterMs: number | null = null): SendResult => ({
  kind: 'answered',
  statusCode,
  retryAfterMs,
});
const retry = (delayMs: number): DeliveryVerdict => ({ kind: 'retry', delayMs });

describe('evaluateDelivery', () => {
  it.each<[string, SendResult, number, DeliveryVerdict]>([
    ['200', answered(200), 1, { kind: 'delivered' }],
    ['204 at the last attempt', answered(204), 10, { kind: 'delivered' }],
    ['299', answered(299), 1, { kind: 'delivered' }],
    ['199', answered(199), 1, retry(5_000)],
    ['a redirect', answered(302), 1, retry(5_000)],
    ['400', answered(400), 2, retry(300_000)],
    ['404', answered(404), 1, retry(5_000)],
    ['410', answered(410), 1, { kind: 'endpoint_disabled' }],
    ['410 at the last attempt', answered(410), 10, { kind: 'endpoint_disabled' }],
    ['429 with Retry-After', answered(429, 60_000), 1, retry(60_000)],
    ['503 with Retry-After', answered(503, 60_000), 2, retry(300_000)],
    ['500 at the last attempt', answered(500), 10, { kind: 'exhausted' }],
    ['no answer', { kind: 'unanswered', reason: 'timeout' }, 1, retry(5_000)],
    ['no answer at the last attempt', { kind: 'unanswered', reason: 'timeout' }, 10, { kind: 'exhausted' }],
  ])('%s', (_name, result, attempt, judgement) =>
    expect(evaluateDelivery(result, attempt, 0)).toEqual(judgement),
  );
});
