import { describe, expect, it } from '@jest/globals';
import { toStorableJson } from '#libs/kernel';
import fc from 'fast-check';
import { toBoundedJson } from './bounded-json.js';
import { cutText } from './cut-text.js';

const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('toBoundedJson', () => {
  it('leaves alone what fits', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toBoundedJson(value, 1_000_000)).toEqual(toStorableJson(value));
      }),
    );
  });

  it('never takes more bytes than allowed, and answers JSON that can be stored', () => {
    const wild = fc.anything({ withDate: true, withBigInt: true, withTypedArray: true, maxDepth: 6 });
    fc.assert(
      fc.property(wild, fc.integer({ min: 64, max: 300 }), (value, maxBytes) => {
        const bounded = toBoundedJson(value, maxBytes);
        expect(size(bounded)).toBeLessThanOrEqual(maxBytes);
        expect(toStorableJson(bounded)).toEqual(bounded);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['a text', 'x'.repeat(1_000), 'x'.repeat(93) + '[cut]'],
    [
      'a list',
      Array.from({ length: 100 }, () => 12345),
      [...Array.from({ length: 14 }, () => 12345), '[cut]'],
    ],
    [
      'what lies behind a long text',
      { a: 'x'.repeat(1_000), b: 1 },
      { a: expect.stringMatching(/^x+\[cut\]$/), '[cut]': '[cut]' },
    ],
    ['bytes', new Uint8Array(1_000), '[cut]'],
  ])('cuts %s and says so', (_name, value, expected) => {
    expect(toBoundedJson(value, 100)).toEqual(expected);
  });

  it.each([
    ['NULs', '\0'.repeat(10_000_000)],
    ['a hundred megabytes', 'x'.repeat(100_000_000)],
    ['characters of four bytes', '🍎'.repeat(1_000_000)],
    ['characters that JSON escapes', '\u0001'.repeat(1_000_000)],
    ['half characters', '\ud800'.repeat(1_000_000)],
    ['a list without end', new Array(1_000_000_000)],
    ['a cycle', cycle()],
  ])('is not impressed by %s', (_name, value) => {
    const bounded = toBoundedJson({ status: 'success', result: { message: value } }, 65_536);
    expect(size(bounded)).toBeLessThanOrEqual(65_536);
    expect(JSON.stringify(bounded)).toMatch(/^\{"status":"success","result":/);
  });

  it('does not split a character', () => {
    for (let maxBytes = 64; maxBytes < 96; maxBytes++) {
      expect(toBoundedJson('🍎'.repeat(100), maxBytes)).toMatch(/^(🍎)+\[cut\]$/u);
    }
  });

  it('cuts what lies deeper than 64 levels', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(toBoundedJson(deep, 10_000))).toBe(`${'['.repeat(64)}"[cut]"${']'.repeat(64)}`);
  });

  it('drops what could change a prototype, also under a disguise', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"a": 1}, "__pro\\u0000to__": {"a": 1}, "b": 2}');
    const bounded = toBoundedJson(hostile, 1_000);
    expect(JSON.stringify(bounded)).toBe('{"b":2}');
    expect(Object.getPrototypeOf(bounded)).toBe(Object.prototype);
  });
});

describe('cutText', () => {
  const NOTE = '\n[the rest was cut off]';

  it.each([
    ['short', 64, 'short'],
    ['a\0b\ud800', 64, 'ab\ufffd'],
    ['x'.repeat(64), 64, 'x'.repeat(64)],
    ['x'.repeat(65), 64, 'x'.repeat(64 - NOTE.length) + NOTE],
    ['あ'.repeat(30), 64, 'あ'.repeat(13) + NOTE],
    ['🍎'.repeat(16), 64, '🍎'.repeat(16)],
    ['🍎'.repeat(17), 64, '🍎'.repeat(10) + NOTE],
    ['x'.repeat(64) + '\0', 64, 'x'.repeat(64)],
  ])('%j in %d bytes', (text, maxBytes, expected) => expect(cutText(text, maxBytes)).toBe(expected));

  it('never takes more bytes than allowed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 32, max: 200 }),
        (text, maxBytes) => {
          const cut = cutText(text, maxBytes);
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
          expect(cut.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

function cycle(): object {
  const knot: Record<string, unknown> = {};
  return Object.assign(knot, { left: knot, right: knot });
}
