import { describe, expect, it } from '@jest/globals';
import { readJsonObject } from './json-text.js';

describe('a text that must be a JSON object', () => {
  it.each([
    ['', {}],
    [' \n ', {}],
    ['{"a": [1, null]}', { a: [1, null] }],
  ])('%j is one', (text, value) => {
    expect(readJsonObject(text)).toEqual({ kind: 'object', value });
  });

  it.each([['[]'], ['null'], ['"text"'], ['3']])('%j is other JSON', (text) => {
    expect(readJsonObject(text)).toEqual({ kind: 'fault', message: 'It must be an object, in braces.' });
  });

  it.each([['{'], ['{"a": x}'], ['x']])('%j is no JSON, and the browser says why', (text) => {
    expect(readJsonObject(text)).toEqual({ kind: 'fault', message: expect.stringContaining('JSON') });
  });
});
