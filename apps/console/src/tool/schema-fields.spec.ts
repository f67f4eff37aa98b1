import { describe, expect, it } from '@jest/globals';
import { schemaRows } from './schema-fields.js';

const shown = (properties: object, required: string[] = []): string[] =>
  schemaRows({ type: 'object', properties, required }).map(({ path, type, isRequired, rules }) =>
    [path, type, isRequired ? 'required' : '', rules].filter((part) => part !== '').join(' | '),
  );

describe('the arguments of a tool', () => {
  it('are read from a JSON Schema, with their limits', () => {
    const properties = {
      name: { type: 'string', minLength: 1, maxLength: 20 },
      kind: { enum: ['a', 'b'], default: 'a' },
      count: { type: ['integer', 'null'], minimum: 0 },
      when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      shape: { $ref: '#/$defs/Shape' },
      odd: true,
    };
    expect(shown(properties, ['name'])).toEqual([
      'name | string | required | length at least 1; length at most 20',
      'kind | value | one of "a", "b"; default "a"',
      'count | integer or null | at least 0',
      'when | string or null',
      'shape | Shape',
      'odd | any',
    ]);
  });

  it('are followed into objects and lists', () => {
    const line = { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] };
    const properties = { order: { type: 'object', properties: { lines: { type: 'array', items: line } } } };
    expect(shown(properties)).toEqual([
      'order | object',
      'order.lines | list of object',
      'order.lines[].sku | string | required',
    ]);
  });

  it('end where a schema goes deep or has too many of them', () => {
    const deep: Record<string, unknown> = { type: 'object' };
    deep['properties'] = { again: deep };
    expect(schemaRows(deep)).toHaveLength(4);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, {}]));
    expect(schemaRows({ properties: many })).toHaveLength(300);
  });

  it('are none where nothing is described', () => {
    expect(schemaRows({})).toEqual([]);
    expect(schemaRows({ properties: [] })).toEqual([]);
  });
});
