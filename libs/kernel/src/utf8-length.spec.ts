import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { utf8Length } from './utf8-length.js';

describe('utf8Length', () => {
  it.each([
    ['', 0],
    ['order', 5],
    ['é', 2],
    ['発注', 6],
    ['🍎', 4],
    ['\ud800', 3],
    ['発'.repeat(32_768), 98_304],
    ['発'.repeat(32_769), 98_307],
    ['🍎'.repeat(40_000), 160_000],
  ])('%#: %d units of text', (text, bytes) => expect(utf8Length(text)).toBe(bytes));

  it('is what a buffer takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });
});
