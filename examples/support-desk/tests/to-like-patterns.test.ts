import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLikePatterns } from '../capstan/domains/support-desk/tickets/to-like-patterns.ts';

for (const [words, patterns] of [
  ['broken lamp', ['%broken%', '%lamp%']],
  ['lamp, lamp!', ['%lamp%']],
  ['order A-1001?', ['%order%', '%A-1001%']],
  // Characters with a meaning in LIKE are escaped, so that a percent sign does not match every ticket.
  ['100% off_season C:\\new', ['%100\\%%', '%off\\_season%', '%\\\\new%']],
  ['壊れた ランプ', ['%壊れた%', '%ランプ%']],
  ['a b', []],
  ['?! ,', []],
  ['b1 b2 b3 b4 b5 b6 b7 b8 b9', ['%b1%', '%b2%', '%b3%', '%b4%', '%b5%', '%b6%', '%b7%', '%b8%']],
] as const)
  test(`"${words}" is looked for as ${patterns.join(', ')}`, () => {
    assert.deepEqual(toLikePatterns(words), patterns);
  });
