import { describe, expect, it } from '@jest/globals';
import { jsonFaultOf, readJsonObject } from './json-object.js';

describe('a text that must be a JSON object', () => {
  it.each([
    ['', {}],
    [' \n ', {}],
    ['{"a": [1, null]}', { a: [1, null] }],
  ])('%j is one', (text, value) => {
    expect(readJsonObject(text)).toEqual({ kind: 'object', value });
  });

  it.each([['[]'], ['null'], ['"text"'], ['3']])('%j is other JSON', (text) => {
    expect(readJsonObject(text)).toEqual({ kind: 'other' });
  });

  it.each([['{'], ['{"a": x}'], ['x']])('%j is no JSON, and the browser says why', (text) => {
    expect(readJsonObject(text)).toEqual({ kind: 'broken', reason: expect.stringContaining('JSON') });
  });

  it.each([
    ['{}', null],
    ['[]', 'It must be an object, in braces.'],
    ['{', expect.stringContaining('JSON')],
  ])('%j has the fault %j', (text, fault) => {
    expect(jsonFaultOf(readJsonObject(text))).toEqual(fault);
  });
});
