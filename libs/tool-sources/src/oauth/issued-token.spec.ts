import { describe, expect, it } from '@jest/globals';
import { isGood, readIssued, readScope } from './issued-token.js';

describe('readIssued', () => {
  it.each<[object, number]>([
    [{ expires_in: 60 }, 60_000],
    [{}, 600_000],
    [{ expires_in: 0 }, 0],
    [{ expires_in: -5 }, 0],
    [{ expires_in: 1e12 }, 86_400_000],
    [{ token_type: 'bearer' }, 600_000],
  ])('%j is good for %i ms', (more, lifetimeMs) => {
    const issued = readIssued({ access_token: 'abc', token_type: 'Bearer', ...more });
    expect(issued).toEqual({ accessToken: 'abc', lifetimeMs });
  });

  it.each([{ token_type: 'DPoP' }, { access_token: '' }, { access_token: 'a b' }, { access_token: 'a\n' }])(
    'refuses %j',
    (more) => {
      expect(() => readIssued({ access_token: 'abc', token_type: 'Bearer', ...more })).toThrow(
        'no bearer token',
      );
    },
  );
});

it.each<[string | undefined, string | null]>([
  [undefined, null],
  ['orders:read orders:write', 'orders:read orders:write'],
  ['', null],
  ['a\u0000b', null],
  ['a"b', null],
  ['a\\b', null],
  ['größe', null],
  ['\ud800', null],
  ['a'.repeat(2_049), null],
])('the scope %j is stored as %j', (scope, kept) => {
  expect(readScope({ scope })).toBe(kept);
});

describe('isGood', () => {
  it.each<[number, number, boolean]>([
    [3_600_000, 3_600_000, true],
    [30_001, 3_600_000, true],
    [30_000, 3_600_000, false],
    [-1, 3_600_000, false],
    [30_000, 40_000, true],
    [10_000, 40_000, false],
    [0, 0, false],
  ])('%i ms left of %i: %s', (remainingMs, lifetimeMs, good) => {
    expect(isGood(remainingMs, lifetimeMs)).toBe(good);
  });
});
