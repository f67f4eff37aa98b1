import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { resolvePointer } from './json-pointer.js';
import { fillJson, fillText, pointersOf } from './template.js';

const DATA = {
  input: 'two roma',
  'a/b': { 'c~d': 1 },
  steps: { find: { items: [{ id: 7 }, { id: 8 }], none: null, text: '{{/input}}' } },
};

describe('a pointer', () => {
  it.each<[string, JsonValue | undefined]>([
    ['/input', 'two roma'],
    ['/steps/find/items/1/id', 8],
    ['/a~1b/c~0d', 1],
    ['/steps/find/items/01', undefined],
    ['/steps/find/items/-', undefined],
    ['/steps/find/items/length', undefined],
    ['/steps/constructor', undefined],
    ['/steps/__proto__', undefined],
    ['/input/0', undefined],
    ['/steps/find/none/x', undefined],
  ])('%s leads to %j', (pointer, value) => {
    expect(resolvePointer(DATA, pointer)).toEqual(value);
  });
});

describe('a template', () => {
  it.each<[string, string]>([
    ['{{/input}}, {{ /steps/find/items/0/id }}', 'two roma, 7'],
    ['{{/steps/find/items}}', '[{"id":7},{"id":8}]'],
    ['[{{/steps/gone}}{{/steps/find/none}}]', '[]'],
    ['no place, { one } brace', 'no place, { one } brace'],
    // What a value holds is no template.
    ['{{/steps/find/text}}', '{{/input}}'],
  ])('%s is filled (S3-35)', (template, text) => {
    expect(fillText(template, DATA)).toBe(text);
  });

  it('keeps values what they are where they stand alone', () => {
    const template = {
      id: '{{/steps/find/items/0/id}}',
      list: ['{{/steps/find/items}}', 'n {{/input}}'],
      n: 1,
      no: '{{/x}}',
    };
    expect(fillJson(template, DATA)).toEqual({
      id: 7,
      list: [[{ id: 7 }, { id: 8 }], 'n two roma'],
      n: 1,
      no: null,
    });
  });

  it('writes dollar signs of values as they are', () => {
    expect(fillText('{{/input}}', { input: '$& $1' })).toBe('$& $1');
  });

  it('knows where its values come from', () => {
    expect(pointersOf({ a: ['{{/input}} {{/steps/x}}'], b: 1 })).toEqual(['/input', '/steps/x']);
    expect(pointersOf('{{}}')).toBeNull();
    expect(pointersOf('{{/a}} {{')).toBeNull();
  });
});
