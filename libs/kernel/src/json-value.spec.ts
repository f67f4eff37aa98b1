import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  asStorableJson,
  isJsonObject,
  MAX_JSON_DEPTH,
  toStorableJson,
  toStorableText,
  utf8Length,
  type JsonValue,
} from './json-value.js';

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

describe('toStorableText', () => {
  it.each([
    ['plain', 'plain'],
    ['a\u0000b', 'ab'],
    ['lone \ud800 surrogate', 'lone \ufffd surrogate'],
    ['発注 🍎', '発注 🍎'],
  ])('%j becomes %j', (text, expected) => expect(toStorableText(text)).toBe(expected));
});

describe('toStorableJson', () => {
  it.each<[string, unknown, unknown]>([
    ['primitives', [1, 'a', true, null], [1, 'a', true, null]],
    ['undefined fields dropped', { a: undefined, b: 1 }, { b: 1 }],
    ['undefined items as null', [undefined], [null]],
    ['not-a-number as null', { a: NaN, b: Infinity }, { a: null, b: null }],
    ['dates as text', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['keys cleaned', { 'a\u0000': 'b\u0000' }, { a: 'b' }],
    ['big integers as text', { a: 10n }, { a: '10' }],
  ])('%s', (_name, value, expected) => expect(toStorableJson(value)).toEqual(expected));

  it('drops an own __proto__ key', () => {
    const stored = toStorableJson(JSON.parse('{"__proto__": {"polluted": 1}, "a": 2}'));
    expect(Object.keys(stored as object)).toEqual(['a']);
  });

  it('drops a key that only becomes __proto__ by being cleaned', () => {
    const stored = toStorableJson(JSON.parse('{"__pro\\u0000to__": {"polluted": 1}, "a": 2}'));
    expect(Object.keys(stored as object)).toEqual(['a']);
  });

  it('cuts what lies too deep', () => {
    const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as unknown;
    const text = JSON.stringify(toStorableJson(deep));
    expect(text).toContain('[nested too deeply]');
    expect(text.length).toBeLessThan(MAX_JSON_DEPTH * 4 + 40);
  });
});

describe('asStorableJson', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

  it.each<[string, unknown]>([
    ['a text', 'a'],
    ['an object', { a: 1, b: [true, null, { 発注: '🍎' }] }],
    ['as deep as is allowed', nested(MAX_JSON_DEPTH)],
  ])('leaves %s as it is', (_name, value) => expect(asStorableJson(value)).toBe(value));

  it.each<[string, unknown]>([
    ['NUL', { a: ['b\u0000'] }],
    ['a lone surrogate', ['\ud800']],
    ['NUL in a key', { a: { 'b\u0000': 1 } }],
    ['an own __proto__', JSON.parse('{"a": {"__proto__": {"polluted": 1}}}')],
    ['a field that is not defined', { a: [{ b: undefined }] }],
    ['a date', { at: new Date(0) }],
    ['a big integer', [10n]],
    ['what JSON would ask', { a: { toJSON: () => 'b' } }],
    ['not-a-number', { a: NaN }],
    ['an instance of a class', { a: new URL('http://a.example') }],
    ['too much depth', nested(MAX_JSON_DEPTH + 1)],
  ])('makes another of %s', (_name, value) => {
    expect(asStorableJson(value)).not.toBe(value);
    expect(asStorableJson(value)).toEqual(toStorableJson(value));
  });

  it('is written down as what toStorableJson makes', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withNullPrototype: true,
      withSparseArray: true,
    });
    const written = (value: JsonValue) => JSON.stringify(value);
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue({ stringUnit: 'binary' })), (value) => {
        expect(written(asStorableJson(value))).toBe(written(toStorableJson(value)));
      }),
    );
  });
});

describe('isJsonObject', () => {
  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ['{}', false],
  ])('%j → %s', (value, expected) => expect(isJsonObject(value)).toBe(expected));
});
