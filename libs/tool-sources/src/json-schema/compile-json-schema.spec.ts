import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { compileJsonSchema } from './compile-json-schema.js';

const read = compileJsonSchema({
  type: 'object',
  properties: {
    unit: { enum: ['kg', 'g'] },
    'a/b~c': { type: 'integer' },
    lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
    at: { type: 'string', format: 'date' },
    count: { type: 'integer', default: 5 },
    kind: { const: 'a' },
  },
  required: ['unit'],
  additionalProperties: false,
});

describe('compileJsonSchema', () => {
  it('passes on what fits as it came: optional fields stay away, nothing is filled in', () => {
    const input = { unit: 'kg', at: '2026-02-28' };
    expect(read(input)).toEqual({ success: true, data: { unit: 'kg', at: '2026-02-28' } });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['a missing field', {}, ["must have required property 'unit'"]],
    [
      'a value that is not allowed, and those that are',
      { unit: 'lb', kind: 1 },
      [
        'unit: must be equal to one of the allowed values: ["kg","g"]',
        'kind: must be equal to constant: "a"',
      ],
    ],
    ['a field of a list', { unit: 'g', lines: [{ amount: 'two' }] }, ['lines.0.amount: must be number']],
    ['a number written as a text', { unit: 'g', count: '5' }, ['count: must be integer']],
    ['a field that there is not', { unit: 'g', x: 1 }, ['must NOT have additional properties: x']],
    ['a field whose name a pointer has to escape', { unit: 'g', 'a/b~c': 0.5 }, ['a/b~c: must be integer']],
    ['a text that is no date', { unit: 'g', at: '2026-02-30' }, ['at: must match format "date"']],
  ])('names %s', (_name, input, reasons) => {
    expect(read(input)).toEqual({ success: false, reasons });
  });

  it('does not take what objects inherit for a field', () => {
    const inherited = compileJsonSchema({ type: 'object', required: ['constructor', 'toString'] });
    expect(inherited({}).success).toBe(false);
  });

  it('reads the dialect that a schema names', () => {
    const tuple = { type: 'object', properties: { a: { type: 'array', prefixItems: [{ type: 'number' }] } } };
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(compileJsonSchema({ ...tuple, $schema })({ a: ['x'] }).success).toBe(false);
    expect(compileJsonSchema(tuple)({ a: ['x'] }).success).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['is none', { type: 'no type' }],
    ['leads elsewhere', { type: 'object', properties: { a: { $ref: 'https://example.com/schema' } } }],
    ['has a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ])('refuses a schema that %s', (_name, schema) => {
    expect(() => compileJsonSchema(schema)).toThrow();
  });

  it('can be made of one schema again and again, and of two that carry one id', () => {
    const schema = { $id: 'https://example.com/tool', type: 'object', required: ['a'] };
    for (const again of [schema, { ...schema }, { ...schema, required: ['b'] }])
      expect(compileJsonSchema(again)({}).success).toBe(false);
  });
});
