import { describe, expect, it } from '@jest/globals';
import type { DeliveryVerdict } from '#libs/persistence';
import {
  evaluateDelivery,
  evaluateReceiver,
  nextAttemptDelay,
  pauseAfter,
  type ReceiverVerdict,
} from './evaluate-delivery.js';
import type { SendResult } from './webhook-sender.js';

const answered = (statusCode: number, retryAfterMs: number | null = null): SendResult => ({
  kind: 'answered',
  statusCode,
  retryAfterMs,
});
const unanswered = (reason: Extract<SendResult, { kind: 'unanswered' }>['reason']): SendResult => ({
  kind: 'unanswered',
  reason,
});
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
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

const HOUR = 60 * MINUTE;

describe('nextAttemptDelay', () => {
  it.each([
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
    [10, null],
    [11, null],
  ])('after %i failed attempts waits %p ms', (failedAttempts, delay) =>
    expect(nextAttemptDelay(failedAttempts, null, 0)).toBe(delay),
  );

  it.each([
    ['spreads by chance over a fifth more', 2, null, 0.5, 5.5 * MINUTE],
    ['waits as long as the receiver asks', 1, 90 * SECOND, 0, 90 * SECOND],
    ['waits no shorter because the receiver asks', 2, SECOND, 0, 5 * MINUTE],
    ['waits no longer than a day for the receiver', 1, 400 * HOUR, 0, 24 * HOUR],
    ['does not begin again when the receiver asks', 10, SECOND, 0, null],
  ])('%s', (_name, failedAttempts, retryAfterMs, random, delay) =>
    expect(nextAttemptDelay(failedAttempts, retryAfterMs, random)).toBe(delay),
  );
});

describe('evaluateReceiver', () => {
  it.each<[string, SendResult, ReceiverVerdict]>([
    ['200', answered(200), 'works'],
    ['299', answered(299), 'works'],
    ['a redirect', answered(302), 'fails'],
    ['404', answered(404), 'fails'],
    ['410', answered(410), 'unknown'],
    ['429', answered(429), 'fails'],
    ['503', answered(503), 'fails'],
    ['silence', unanswered('timeout'), 'fails'],
    ['a refused connection', unanswered('connection_failed'), 'fails'],
    ['a blocked address', unanswered('blocked_address'), 'fails'],
    ['a message that could not be signed', unanswered('invalid_secret'), 'unknown'],
  ])('takes %s for: %3$s', (_name, result, judgement) => expect(evaluateReceiver(result)).toBe(judgement));
});

describe('pauseAfter', () => {
  it.each([
    [1, null],
    [9, null],
    [10, 30 * SECOND],
    [11, MINUTE],
    [12, 2 * MINUTE],
    [14, 8 * MINUTE],
    [15, 15 * MINUTE],
    [16, 15 * MINUTE],
    [2_147_483_647, 15 * MINUTE],
  ])('after %i failures in a row pauses for %p ms', (failures, pause) =>
    expect(pauseAfter(failures, 0)).toBe(pause),
  );

  it('spreads by chance over a fifth more', () => expect(pauseAfter(10, 0.5)).toBe(33 * SECOND));
});
