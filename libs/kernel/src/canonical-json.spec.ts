import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';
import type { JsonValue } from './json-value.js';

describe('canonicalJson', () => {
  it.each<[JsonValue, string]>([
    [null, 'null'],
    ['a"b', '"a\\"b"'],
    [-0, '0'],
    [[], '[]'],
    [{}, '{}'],
    [{ b: [2, 1], a: { d: true, c: null } }, '{"a":{"c":null,"d":true},"b":[2,1]}'],
    [{ '10': 1, '9': 2, é: 3, Z: 4 }, '{"10":1,"9":2,"Z":4,"é":3}'],
  ])('writes %j as %s', (value, text) => expect(canonicalJson(value)).toBe(text));

  it('does not care for the order of keys, and means the value (3.D-7)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as JsonValue);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(withKeysReversed(value as JsonValue))).toBe(text);
      }),
    );
  });

  it('goes as deep and as wide as the value', () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 50_000; level++) deep = [deep];
    expect(canonicalJson(deep)).toBe(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`);
    expect(canonicalJson(Array.from({ length: 500_000 }, () => 0))).toHaveLength(1_000_001);
  });
});

function withKeysReversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withKeysReversed(item));
  const entries = Object.entries(value).map(([key, item]) => [key, withKeysReversed(item)] as const);
  return Object.fromEntries(entries.reverse());
}
