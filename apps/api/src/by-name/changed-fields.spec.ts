import { describe, expect, it } from '@jest/globals';
import { changedFields } from './changed-fields.js';

describe('the fields that a replacement changes', () => {
  const view = { id: 7, name: 'a', config: { b: [1, { c: 2 }], a: null }, prompt: null };

  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing given', {}, []],
    ['equal values with their keys in another order', { config: { a: null, b: [1, { c: 2 }] } }, []],
    ['other values', { name: 'b', config: { b: [{ c: 2 }, 1], a: null } }, ['name', 'config']],
    ['a field that is left out within another one', { config: { b: [1, { c: 2 }] } }, ['config']],
    ['undefined for null', { prompt: undefined }, []],
    ['a text for a number', { id: '7' }, ['id']],
  ])('are those that differ: %s', (_name, fields, changed) => {
    expect(changedFields(view, fields)).toEqual(changed);
  });
});
