import { describe, expect, it } from '@jest/globals';
import { faultLineOf } from './json-fault-line.js';

describe('the line of the first fault of a JSON text', () => {
  it.each([
    ['{\n  "a": 1,\n  b: 2\n}', 3],
    ['{\n  "a": x\n}', 2],
    ['{\n  "a": 1\n\n', 2],
    ['x', 1],
  ])('in %j is %d', (text, line) => {
    expect(faultLineOf(text)).toBe(line);
  });

  it('is none in a text that is JSON', () => {
    expect(faultLineOf('{"a": [1, null]}')).toBe(null);
  });
});
