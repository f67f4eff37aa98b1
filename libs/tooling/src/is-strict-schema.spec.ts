import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { isStrictSchema } from './is-strict-schema.js';

const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text: JsonObject = { type: 'string', minLength: 1, description: 'A text.' };

describe('isStrictSchema', () => {
  it.each<[string, JsonObject]>([
    ['no fields', object({})],
    ['all fields required', object({ a: text, b: { type: ['string', 'null'], enum: ['x', null] } })],
    ['objects in lists', object({ lines: { type: 'array', items: object({ a: text }), minItems: 1 } })],
    ['one of several', object({ a: { anyOf: [text, { type: 'null' }, object({ b: text })] } })],
    ['definitions', { ...object({ a: { $ref: '#/$defs/part' } }), $defs: { part: object({ a: text }) } }],
    ['fields that are called like keywords', object({ properties: text, not: text, if: text })],
  ])('holds a model to %s', (_name, schema) => {
    expect(isStrictSchema(schema)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['an optional field', object({ a: text, b: text }, ['a'])],
    ['an optional field in a list', object({ a: { type: 'array', items: object({ b: text }, []) } })],
    ['an optional field in one of several', object({ a: { anyOf: [object({ b: text }, []), text] } })],
    ['an optional field in a definition', { ...object({}), $defs: { part: object({ a: text }, []) } }],
    ['fields of any name', { type: 'object', properties: {}, required: [] }],
    ['fields of any name, said so', { ...object({ a: text }), additionalProperties: text }],
    ['an object that does not say which fields', object({ a: { type: 'object' } })],
    ['an object that may be null and has optional fields', object({ a: { type: ['object', 'null'] } })],
    ['fields without a type', object({ a: { properties: { b: text } } })],
    ['anything', object({ a: true })],
    ['a keyword that strict modes do not know', object({ a: { not: text } })],
    ['a default', object({ a: { ...text, default: 'x' } })],
    ['a list as the input', { type: 'array', items: text }],
  ])('does not hold a model to %s', (_name, schema) => {
    expect(isStrictSchema(schema)).toBe(false);
  });
});
