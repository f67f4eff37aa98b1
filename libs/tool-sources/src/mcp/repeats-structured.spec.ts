import { expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { repeatsStructured } from './repeats-structured.js';

it.each<[string, string, JsonValue, boolean]>([
  ['the same as JSON', '{"items": [{"sku": "A-17"}], "sum": 3}', { items: [{ sku: 'A-17' }], sum: 3 }, true],
  ['the same in words', 'A-17 costs 3 euros', { items: [{ sku: 'A-17' }], sum: 3 }, true],
  ['the same as JSON, with what has to be escaped', '{"text":"a\\nb"}', { text: 'a\nb' }, true],
  ['less', 'Found 2 items.', { items: [{ sku: 'A-17' }, { sku: 'B-42' }] }, false],
  ['flags only', 'done', { ok: true, error: null, note: '' }, true],
  ['nothing structured', 'done', {}, true],
])('a text says %s', (_name, text, structured, expected) => {
  expect(repeatsStructured(text, structured)).toBe(expected);
});

it('looks at a bounded number of values', () => {
  expect(repeatsStructured('', { list: Array.from({ length: 5_000 }, (_, index) => index % 2 === 0) })).toBe(
    true,
  );
});
