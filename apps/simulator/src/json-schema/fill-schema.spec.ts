import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '#libs/kernel';
import { fillSchema } from './fill-schema.js';
import { writeFormatted, writeTextArguments } from './write-for-schema.js';

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

describe('a value for a schema', () => {
  it.each<[string, JsonObject, JsonValue | undefined, JsonValue]>([
    ['keeps what is known', object({ a: { type: 'string' } }), { a: 'x' }, { a: 'x' }],
    ['drops what the schema does not know', object({ a: { type: 'string' } }), { a: 'x', b: 1 }, { a: 'x' }],
    ['keeps all for a schema without fields', { type: 'object' }, { b: 1 }, { b: 1 }],
    ['is null if that is allowed', object({ a: { type: ['integer', 'null'] } }), {}, { a: null }],
    [
      'is null if a union allows it',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      {},
      { a: null },
    ],
    [
      'takes the fitting part of a union',
      object({ a: { anyOf: [{ type: 'null' }, { type: 'number' }] } }),
      { a: 2.5 },
      { a: 2.5 },
    ],
    [
      'is plain where nothing is known',
      object({
        s: { type: 'string' },
        n: { type: 'integer', minimum: 3 },
        b: { type: 'boolean' },
        l: { type: 'array' },
      }),
      {},
      { s: '', n: 3, b: false, l: [] },
    ],
    [
      'takes the first of an enum, also instead of a wrong value',
      object({ a: { type: 'string', enum: ['x', 'y'] } }),
      { a: 'z' },
      { a: 'x' },
    ],
    ['writes as text what has to be text', object({ a: { type: 'string' } }), { a: 3 }, { a: '3' }],
    [
      'fills the items of a list',
      { type: 'array', items: object({ a: { type: 'number' }, b: { const: 'k' } }) },
      [{ a: 1 }],
      [{ a: 1, b: 'k' }],
    ],
    [
      'follows references',
      { ...object({ a: { $ref: '#/$defs/line' } }), $defs: { line: object({ q: { type: 'string' } }) } },
      { a: { q: 'x' } },
      { a: { q: 'x' } },
    ],
  ])('%s', (_name, schema, known, expected) => {
    expect(fillSchema(schema, known)).toEqual(expected);
  });

  it('ends when a schema refers to itself', () => {
    const schema = { $ref: '#/$defs/node', $defs: { node: object({ next: { $ref: '#/$defs/node' } }) } };
    expect(JSON.stringify(fillSchema(schema, {})).length).toBeLessThan(500);
  });
});

describe('text for a schema', () => {
  const properties = {
    limit: { type: 'integer' },
    kind: { enum: ['a'] },
    query: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  };

  it('goes into the first text field of a tool', () => {
    const tool = { type: 'function' as const, name: 'f', parameters: { type: 'object', properties } };
    expect(JSON.parse(writeTextArguments(tool, 'roma'))).toEqual({ limit: 0, kind: 'a', query: 'roma' });
    expect(writeTextArguments({ type: 'function', name: 'f' }, 'roma')).toBe('{}');
  });

  it('keeps to the output format', () => {
    expect(writeFormatted('hi', { type: 'text' })).toBe('hi');
    expect(writeFormatted('hi', { type: 'json_object' })).toBe('{"text":"hi"}');
    const schema = { type: 'object', properties: { answer: { type: 'string' }, sure: { type: 'boolean' } } };
    expect(JSON.parse(writeFormatted('hi', { type: 'json_schema', name: 'a', schema }))).toEqual({
      answer: 'hi',
      sure: false,
    });
  });
});
