import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './translate-error.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('readRetryAfter', () => {
  it.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '1' }, 1_000],
    [{ 'retry-after': '600' }, 600_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Thursday, 01-Jan-26 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': 'Thu, never' }, null],
    [{ 'retry-after': '2026' + '0'.repeat(30) }, null],
    [{ 'retry-after': '1e9' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('L1, L2: %j → %j ms', (headers, expected) =>
    expect(readRetryAfter(new Headers(headers), NOW)).toBe(expected),
  );

  it('reads nothing from no headers', () => expect(readRetryAfter(undefined, NOW)).toBeNull());
});
