import { describe, expect, it } from '@jest/globals';
import { inputOf, tryFields } from './try-fields.js';

const SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words' },
    limit: { type: ['integer', 'null'] },
    exact: { type: 'boolean' },
    price: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    sort: { type: 'string', enum: ['up', 'down'] },
  },
  required: ['query', 'limit'],
};
const fields = tryFields(SCHEMA) ?? [];

describe('the form of a simple schema', () => {
  it('has a field for each argument', () => {
    expect(
      fields.map(({ name, kind, isRequired, isNullable }) => [name, kind, isRequired, isNullable]),
    ).toEqual([
      ['query', 'text', true, false],
      ['limit', 'integer', true, true],
      ['exact', 'boolean', false, false],
      ['price', 'decimal', false, true],
      ['sort', 'choice', false, false],
    ]);
    expect(tryFields({ type: 'object' })).toEqual([]);
  });

  it('reads its controls; what is left empty is left out where it may be', () => {
    expect(inputOf(fields, {})).toEqual({ query: '', limit: null });
    const texts = { query: '12', limit: '5', exact: 'false', price: '0.5', sort: 'up' };
    expect(inputOf(fields, texts)).toEqual({ query: '12', limit: 5, exact: false, price: 0.5, sort: 'up' });
    expect(inputOf(fields, { query: 'a', limit: 'x' })).toEqual({ query: 'a', limit: 'x' });
  });
});

describe('a schema is not simple', () => {
  it.each([
    ['with an object within', { properties: { a: { type: 'object' } } }],
    ['with a list', { properties: { a: { type: 'array' } } }],
    ['with two types', { properties: { a: { type: ['string', 'integer'] } } }],
    ['with values that are no texts', { properties: { a: { enum: [1, 2] } } }],
    ['with several forms', { oneOf: [{ type: 'object' }], properties: {} }],
    ['with an argument of any type', { properties: { a: true } }],
  ])('%s', (_name, schema) => {
    expect(tryFields(schema)).toBe(null);
  });
});
