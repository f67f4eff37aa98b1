import { describe, expect, it } from '@jest/globals';
import { isTreeDepth, visibleJson } from './visible-json.js';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('a foreign JSON value', () => {
  it('is the same with pictures in place of control characters, in names as in texts', () => {
    const value = { 'a\u001b': ['b\u0007', 1, null, true, { c: 'd' }] };
    expect(visibleJson(value)).toEqual({ 'a\u241b': ['b\u2407', 1, null, true, { c: 'd' }] });
  });

  it.each([
    [1, true],
    [101, true],
    [102, false],
    [100_000, false],
  ])('with %i levels can be a tree: %s', (depth, isTree) => {
    expect(isTreeDepth(nested(depth))).toBe(isTree);
  });

  it('is cut where it is too deep', () => {
    const text = JSON.stringify(visibleJson(nested(100_000)));
    expect(text).toBe(`${'['.repeat(101)}"…"${']'.repeat(101)}`);
  });

  it('without parts is a tree', () => {
    expect(['x', 7, null, {}, []].map(isTreeDepth)).toEqual([true, true, true, true, true]);
  });
});
