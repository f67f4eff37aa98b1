import { describe, expect, it } from '@jest/globals';
import { countedParts, MAX_COUNTED_CHARS } from './count-tokens.js';

describe('counted parts of a text', () => {
  it.each([0, 1, 500, 501, MAX_COUNTED_CHARS])('is all of it where it has %i characters', (length) => {
    const text = 'a b, '.repeat(MAX_COUNTED_CHARS).slice(0, length);
    const { parts, scale } = countedParts(text);
    expect(parts.join('')).toBe(text);
    expect(scale).toBe(1);
  });

  it.each([MAX_COUNTED_CHARS + 1, 200_000, 5_000_000])(
    'is bounded where it has %i characters, and begins and ends with it',
    (length) => {
      const text = `(${'x'.repeat(length - 2)})`;
      const { parts, scale } = countedParts(text);
      expect(parts.join('')).toHaveLength(MAX_COUNTED_CHARS);
      expect(parts.every((part) => part.length <= 500)).toBe(true);
      expect([parts[0]?.[0], parts.at(-1)?.at(-1)]).toEqual(['(', ')']);
      expect(scale * MAX_COUNTED_CHARS).toBeCloseTo(length);
    },
  );
});
