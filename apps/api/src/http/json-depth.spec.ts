import { describe, expect, it } from '@jest/globals';
import { isNestedDeeperThan } from './json-depth.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): Uint8Array => bytes('['.repeat(depth) + ']'.repeat(depth));

describe('isNestedDeeperThan', () => {
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
