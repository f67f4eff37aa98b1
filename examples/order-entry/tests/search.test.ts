import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearness } from '../capstan/domains/order-entry/search/nearness.ts';
import { toSearchCode, toSearchText } from '../capstan/domains/order-entry/search/search-text.ts';

for (const [written, known] of [
  ['ROMA  TOMATOES', 'roma tomato'],
  ['ﾛｰﾏﾄﾏﾄ', 'ローマトマト'],
  ['ろーまとまと', 'ローマトマト'],
  ['Jalapeño', 'jalapeno'],
] as const)
  test(`"${written}" is searched for as "${known}"`, () => {
    assert.equal(toSearchText(written), toSearchText(known));
  });

test('an item number is found with O for 0, and without its hyphen', () => {
  assert.equal(toSearchCode('veg1O1O'), toSearchCode('VEG-1010'));
});

test('a misspelt name is nearer than a name that shares a word', () => {
  const asked = toSearchText('chiken brest');
  const near = nearness(asked, toSearchText('Chicken Breast Boneless'));
  assert.ok(near > 0.5, String(near));
  assert.ok(near > nearness(asked, toSearchText('Chicken Stock')));
});
