import { describe, expect, it } from '@jest/globals';
import { findHugeNumber, findJsonExcess } from './json-body.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): Uint8Array => bytes('['.repeat(depth) + ']'.repeat(depth));

const isNestedDeeperThan = (depth: number, json: Uint8Array): boolean =>
  findJsonExcess({ depth, keys: Infinity }, json) === 'depth';
const hasMoreKeysThan = (keys: number, text: string): boolean =>
  findJsonExcess({ depth: 64, keys }, bytes(text)) === 'keys';

describe('the depth of JSON', () => {
  it('allows the limit and no more', () => {
    expect(isNestedDeeperThan(64, nested(64))).toBe(false);
    expect(isNestedDeeperThan(64, nested(65))).toBe(true);
  });

  it('counts objects and arrays alike', () => {
    expect(isNestedDeeperThan(2, bytes('{"a":[{}]}'))).toBe(true);
    expect(isNestedDeeperThan(3, bytes('{"a":[{}]}'))).toBe(false);
  });

  it.each([
    ['brackets inside text', String.raw`{"a":"[[[[[["}`],
    ['an escaped quote', String.raw`{"a":"\"[[[[["}`],
    ['an escaped backslash before the end of a text', String.raw`{"a":"\\","b":"[[[["}`],
    ['siblings', '[[],[],[],[],[]]'],
    ['Japanese', '{"a":"［［［"}'],
  ])('is not misled by %s', (_name, text) => expect(isNestedDeeperThan(2, bytes(text))).toBe(false));

  it('sees brackets after a text that ends with an escaped backslash', () => {
    expect(isNestedDeeperThan(2, bytes(String.raw`["\\",[[1]]]`))).toBe(true);
  });
});

describe('the keys of JSON', () => {
  it.each([
    ['those of one object', '{"a":1,"b":2,"c":3}', 3],
    ['those of all objects', '[{"a":1},{"b":{"c":[{"d":1}]}}]', 4],
    ['none in lists', '[1,2,3,["a","b"]]', 0],
    ['no colons inside text', String.raw`{"a:b":"c:d\":e","f":":"}`, 2],
  ])('counts %s', (_name, text, count) => {
    expect(hasMoreKeysThan(count, text)).toBe(false);
    expect(hasMoreKeysThan(count - 1, text)).toBe(true);
  });
});

describe('findHugeNumber', () => {
  it.each<[string, (string | number)[] | null]>([
    ['{"a": [1, {"b": 1e999}]}', ['a', 1, 'b']],
    ['-1e400', []],
    ['{"a": 1e308, "b": "1e999", "c": null}', null],
    ['[]', null],
  ])('%s → %j', (json, path) => expect(findHugeNumber(JSON.parse(json))).toEqual(path));
});
