import { expect, it } from '@jest/globals';
import type { ParsedBlock } from '#libs/knowledge';
import { portionsOf } from './portions.js';

const text = (chars: number): ParsedBlock => ({ kind: 'text', text: 'x'.repeat(chars) });

it.each([
  [[], []],
  [[10], [1]],
  [[10, 20, 30], [3]],
  [
    [3_999, 1, 1],
    [2, 1],
  ],
  [
    [9_000, 9_000, 1],
    [1, 1, 1],
  ],
])('blocks of %j characters come in portions of %j', (chars, expected) => {
  const blocks = chars.map(text);
  const portions = portionsOf(blocks);
  expect(portions.map((portion) => portion.length)).toEqual(expected);
  expect(portions.flat()).toEqual(blocks);
});

it('a row counts with the names of its columns', () => {
  const row: ParsedBlock = { kind: 'row', cells: [['c'.repeat(3_000), 'v'.repeat(1_000)]] };
  expect(portionsOf([row, row])).toHaveLength(2);
});
