import { describe, expect, it } from '@jest/globals';
import type { ModelFailure } from '../scope-state.js';
import { fallbacksLeft, findSwitchReason } from './choose-fallback.js';

const RULES = { maxModelRetries: 1, fallbacks: { llms: [7, 9], rateLimitMs: 30_000 } };
const failed = (changes: Partial<ModelFailure> = {}): ModelFailure => ({
  error: { code: 'SDK_ERROR', message: 'x' },
  reason: 'server_error',
  retryable: true,
  retryAfterMs: null,
  ...changes,
});
const limited = (retryAfterMs: number | null): ModelFailure =>
  failed({ reason: 'rate_limited', error: { code: 'RATE_LIMITED', message: 'x' }, retryAfterMs });

describe('a model is left', () => {
  it.each([
    ['when its retries are used up', failed(), 2, 'unavailable'],
    ['not before', failed(), 1, null],
    ['for a rate limit that is longer than the scope waits', limited(30_001), 1, 'rate_limited'],
    ['not for a shorter one', limited(30_000), 1, null],
    ['for a short one when its retries are used up', limited(1_000), 2, 'rate_limited'],
    ['not for a long wait that is no rate limit', failed({ retryAfterMs: 60_000 }), 1, null],
    [
      'never for a request that is not valid',
      failed({ retryable: false, reason: 'invalid_request' }),
      9,
      null,
    ],
    ['never for a conversation that it refuses', failed({ refusesHistory: true }), 9, null],
    ['never without a failure', undefined, 0, null],
  ])('%s', (_name, failure, tries, reason) => {
    expect(findSwitchReason(failure, tries, RULES)).toBe(reason);
  });
});

it.each([
  [[], RULES.fallbacks, [7, 9]],
  [[7], RULES.fallbacks, [9]],
  [[9, 7], RULES.fallbacks, []],
  [[], undefined, []],
])('after %j a scope with the fallbacks %j has %j left', (passedOver, rules, left) => {
  expect(fallbacksLeft({ passedOver }, rules)).toEqual(left);
});
