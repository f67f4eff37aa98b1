import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './retry-after.js';

const NOW = Date.parse('2026-11-28T10:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['3', 3_000],
    ['0', 0],
    ['Sat, 28 Nov 2026 10:00:05 GMT', 5_000],
    ['Sat, 28 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
  ])('%s is a pause', (value, ms) => {
    expect(readRetryAfter(new Headers({ 'retry-after': value }), NOW)).toBe(ms);
  });

  it('is none where there is no header', () => {
    expect(readRetryAfter(new Headers(), NOW)).toBeNull();
  });
});
