import { describe, expect, it } from '@jest/globals';
import { isRecent } from './vector-index-table.js';

describe('a version of pgvector', () => {
  it.each([
    ['0.5.1', false],
    ['0.7.4', false],
    ['0.8.0', true],
    ['0.10', true],
    ['1.0.0', true],
    ['', false],
  ])('%s is recent enough: %s', (version, expected) => {
    expect(isRecent(version)).toBe(expected);
  });
});
