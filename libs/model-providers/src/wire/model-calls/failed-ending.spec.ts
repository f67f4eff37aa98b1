import { describe, expect, it } from '@jest/globals';
import { toHarmlessCode } from './failed-ending.js';

describe('toHarmlessCode', () => {
  it.each<[unknown, string | null]>([
    ['rate_limit_exceeded', 'rate_limit_exceeded'],
    ['error.sub', 'error.sub'],
    ['sk-canary', null],
    ['your prompt said hello', null],
    ['x'.repeat(65), null],
    ['', null],
    [429, null],
    [null, null],
  ])('%j → %j', (value, expected) => expect(toHarmlessCode(value)).toBe(expected));
});
