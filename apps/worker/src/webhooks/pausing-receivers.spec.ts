import { describe, expect, it } from '@jest/globals';
import { evaluateReceiver, pauseAfter, type ReceiverVerdict } from './evaluate-delivery.js';
import type { SendResult } from './webhook-sender.js';

const answered = (statusCode: number): SendResult => ({ kind: 'answered', statusCode, retryAfterMs: null });
const unanswered = (reason: Extract<SendResult, { kind: 'unanswered' }>['reason']): SendResult => ({
  kind: 'unanswered',
  reason,
});
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

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
