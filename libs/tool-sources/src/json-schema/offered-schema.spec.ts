import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { toOfferedSchema } from './offered-schema.js';

const A = { type: 'string' };
const B = { type: 'integer' };
const withField = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
  ...more,
});

describe('the schema of a tool as models get it', () => {
  it('is the schema itself where every model takes it', () => {
    const schema = withField(
      'a',
      { anyOf: [A, { $ref: '#/$defs/b' }] },
      { $defs: { b: B }, additionalProperties: false },
    );
    expect(toOfferedSchema(schema)).toEqual({ schema, losses: [] });
  });

  it('has fields, though there may be none', () => {
    expect(toOfferedSchema({ type: 'object' }).schema).toEqual({ type: 'object', properties: {} });
  });

  it.each(['oneOf', 'anyOf'])('shows all forms of %s at the root as one object', (keyword) => {
    const { schema, losses } = toOfferedSchema({
      type: 'object',
      description: 'Find one.',
      properties: { q: A },
      required: ['q'],
      [keyword]: [withField('a', A), withField('b', B), { $ref: '#/$defs/c' }],
      $defs: { c: withField('a', B, { required: [] }) },
    });
    expect(schema).toEqual({
      type: 'object',
      description: 'Find one.\nGive the fields of one form: a | b.',
      properties: { q: A, a: { anyOf: [A, B] }, b: B },
      required: ['q'],
      $defs: { c: withField('a', B, { required: [] }) },
    });
    expect(losses).toEqual(['has 2 forms, which models are shown as one']);
  });

  it('requires what every form requires, and is closed where every form is', () => {
    const forms = ['a', 'b'].map((kind) => ({
      type: 'object',
      properties: { kind: { const: kind }, [kind]: A },
      required: ['kind', kind],
      additionalProperties: false,
    }));
    expect(toOfferedSchema({ type: 'object', oneOf: forms }).schema).toMatchObject({
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, a: A, b: A },
      required: ['kind'],
    });
  });

  it('has the fields of the parts of its root, of references, and of conditions', () => {
    const { schema, losses } = toOfferedSchema({
      type: 'object',
      $ref: '#/$defs/base',
      allOf: [withField('a', A), { oneOf: [withField('b', B), withField('c', A)] }],
      if: withField('a', { const: 'x' }),
      then: withField('d', A),
      not: { required: ['e'] },
      $defs: { base: withField('id', B) },
    });
    expect(schema).toMatchObject({ properties: { a: A, b: B, c: A, d: A, id: B }, required: ['id', 'a'] });
    for (const keyword of ['$ref', 'allOf', 'oneOf', 'if', 'then', 'not'])
      expect(schema).not.toHaveProperty(keyword);
    expect(losses).toHaveLength(1);
  });

  it('merges forms that double at every level', () => {
    const $defs: Record<string, JsonObject> = { d40: withField('a', A) };
    for (let level = 0; level < 40; level += 1) {
      const $ref = `#/$defs/d${level + 1}`;
      $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
    }
    const { schema } = toOfferedSchema({ type: 'object', anyOf: [{ $ref: '#/$defs/d0' }], $defs });
    expect(schema).toMatchObject({ properties: { a: A }, required: ['a'] });
  });

  it('ends where a schema is within itself', () => {
    const again = { type: 'object', description: 'the same again, nested; its fields: title, children' };
    const node = {
      type: 'object',
      properties: { title: A, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    };
    expect(
      toOfferedSchema({ type: 'object', properties: { tree: { $ref: '#/$defs/node' } }, $defs: { node } })
        .schema,
    ).toEqual({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: {
        node: { type: 'object', properties: { title: A, children: { type: 'array', items: again } } },
      },
    });
    expect(toOfferedSchema(withField('next', { $ref: '#', description: 'The next one' })).schema).toEqual(
      withField('next', { type: 'object', description: 'The next one' }),
    );
  });

  it('ends where two are within each other', () => {
    const a = { items: { $ref: '#/$defs/b' }, type: 'array' };
    const b = { items: { $ref: '#/$defs/a' }, type: 'array' };
    const { schema } = toOfferedSchema({
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a, b },
    });
    expect(schema['$defs']).toEqual({ a, b: { type: 'array', items: { type: 'array' } } });
  });

  it('has limits as numbers', () => {
    const { schema } = toOfferedSchema(
      withField('a', { minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false }),
    );
    expect(schema).toEqual(withField('a', { exclusiveMinimum: 0, maximum: 5 }));
  });
});
