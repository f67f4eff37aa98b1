import { describe, expect, it } from '@jest/globals';
import { decideRetry, pauseBeforeRetry, type Failure } from './decide-retry.js';

const LONGEST = 1;
const answer = (status: number, more: Partial<Extract<Failure, { kind: 'answer' }>> = {}): Failure => ({
  ...{ kind: 'answer', status, code: null, shouldRetry: null, retryAfterMs: null },
  ...more,
});

describe('a request that failed', () => {
  it.each<[string, Failure, boolean]>([
    ['no answer', { kind: 'connection' }, true],
    ['408', answer(408), true],
    ['429', answer(429), true],
    ['500', answer(500), true],
    ['503', answer(503), true],
    ['400', answer(400), false],
    ['401', answer(401), false],
    ['404', answer(404), false],
    ['409', answer(409), false],
    ['422', answer(422), false],
    ['500 that says x-should-retry: false', answer(500, { shouldRetry: false }), false],
    ['409 that says x-should-retry: true', answer(409, { shouldRetry: true }), true],
    [
      '409 of a key whose first request is under way',
      answer(409, { code: 'IDEMPOTENCY_KEY_UNDER_WAY' }),
      true,
    ],
  ])('by %s is repeated or not', (_name, failure, isRepeated) => {
    expect(decideRetry(failure, 0, 3, LONGEST) !== null).toBe(isRepeated);
  });

  it('is repeated as often as is allowed', () => {
    const pauses = [0, 1, 2, 3].map((retries) => decideRetry({ kind: 'connection' }, retries, 3, LONGEST));
    expect(pauses).toEqual([500, 1_000, 2_000, null]);
    expect(decideRetry({ kind: 'connection' }, 0, 0, LONGEST)).toBeNull();
  });

  it('waits at least as long as the answer says', () => {
    const asked = answer(429, { retryAfterMs: 7_000 });
    expect(decideRetry(asked, 0, 3, 0)).toBeGreaterThanOrEqual(7_000);
    expect(decideRetry(asked, 0, 3, LONGEST)).toBeGreaterThan(7_000);
  });

  it('is given back at once where the answer asks for minutes', () => {
    expect(decideRetry(answer(503, { retryAfterMs: 600_000 }), 0, 3, LONGEST)).toBeNull();
  });

  it('waits a part of the longest pause that chance chooses', () => {
    expect([0, 0.5, 1].map((chance) => pauseBeforeRetry(1, chance, 8_000))).toEqual([500, 750, 1_000]);
    expect(pauseBeforeRetry(40, 1, 8_000)).toBe(8_000);
  });
});
