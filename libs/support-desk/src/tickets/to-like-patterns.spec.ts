import { expect, it } from '@jest/globals';
import { toLikePatterns } from './to-like-patterns.js';

it.each([
  ['broken lamp', ['%broken%', '%lamp%']],
  ['lamp, lamp!', ['%lamp%']],
  ['order A-1001?', ['%order%', '%A-1001%']],
  // Characters with a meaning in LIKE are escaped, so that a percent sign does not match every ticket.
  ['100% off_season C:\\new', ['%100\\%%', '%off\\_season%', '%\\\\new%']],
  ['壊れた ランプ', ['%壊れた%', '%ランプ%']],
  ['a b', []],
  ['?! ,', []],
  ['b1 b2 b3 b4 b5 b6 b7 b8 b9', ['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8'].map((word) => `%${word}%`)],
])('%j is looked for as %j (S2-9)', (words, patterns) => {
  expect(toLikePatterns(words)).toEqual(patterns);
});
