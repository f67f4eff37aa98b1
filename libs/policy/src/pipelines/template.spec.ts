import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { resolvePointer } from './json-pointer.js';
import { fillJson, fillText, MAX_FILLED_CHARS, pointersOf } from './template.js';

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
    // A placeholder inside a value is not filled.
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

  it('is read in one pass, however many blanks or braces it has', () => {
    const blanks = ' '.repeat(400_000);
    expect(pointersOf(`{{${blanks}`)).toBeNull();
    expect(pointersOf('{{ '.repeat(300_000))).toBeNull();
    expect(pointersOf(`{{${blanks}/input${blanks}}}`)).toEqual(['/input']);
    expect(fillText(`{{${blanks}`, DATA)).toHaveLength(400_002);
    expect(fillJson(`{{${blanks}/input}}`, DATA)).toBe('two roma');
  });

  const HALF = {
    half: 'x'.repeat(MAX_FILLED_CHARS / 2),
    list: Array<number>(MAX_FILLED_CHARS / 8).fill(7),
  };

  it.each<[string, string, boolean]>([
    ['two places that just fit', '{{/half}}{{/half}}', true],
    ['one character more', '{{/half}}.{{/half}}', false],
    ['one character more at the end', '{{/half}}{{/half}}.', false],
    ['very many places', '{{/half}}'.repeat(2_000), false],
  ])('is filled within bounds: %s (S3-35)', (_what, template, fits) => {
    expect(fillText(template, HALF)?.length).toBe(fits ? MAX_FILLED_CHARS : undefined);
  });

  it.each<[string, JsonValue, boolean]>([
    ['texts', { a: '{{/half}}', b: 'and {{/input}}' }, true],
    ['twice the same', { a: '{{/half}}', b: ['{{/half}}'] }, false],
    ['within texts', ['{{/half}}.', '{{/half}}.'], false],
    ['a list', { a: '{{/half}}', b: '{{/list}}' }, true],
    ['a list, very many times', Array<string>(5_000).fill('{{/list}}'), false],
    ['keys', { ['k'.repeat(MAX_FILLED_CHARS)]: 1 }, false],
  ])('is filled within bounds as JSON: %s (S3-35)', (_what, template, fits) => {
    expect(fillJson(template, HALF) !== undefined).toBe(fits);
  });

  it('knows where its values come from', () => {
    expect(pointersOf({ a: ['{{/input}} {{/steps/x}}'], b: 1 })).toEqual(['/input', '/steps/x']);
    expect(pointersOf('{{}}')).toBeNull();
    expect(pointersOf('{{/a}} {{')).toBeNull();
  });
});
