import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { boundSchema } from './bound-schema.js';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

function nested(levels: number): JsonObject {
  return levels === 0 ? { type: 'string' } : object({ a: nested(levels - 1) });
}

const A = { $ref: '#/$defs/a' };
const ENDLESS = 'must not refer to itself with neither a field nor an item in between';

describe('the bounds of a foreign schema', () => {
  it.each<[string, JsonObject, string]>([
    ['is too long', object({}, { description: 'x'.repeat(33_000) }), 'must have at most 32768 bytes'],
    [
      'is too long in other letters',
      object({}, { description: 'ä'.repeat(17_000) }),
      'must have at most 32768 bytes',
    ],
    ['is too deep', nested(40), 'must be nested at most 32 levels deep'],
    [
      'has too many parts',
      object({ a: { anyOf: Array.from({ length: 1_001 }, () => ({})) } }),
      'must have at most 1000 schemas within it',
    ],
    ['is itself', object({}, { allOf: [{ $ref: '#' }] }), ENDLESS],
    [
      'is itself by way of another',
      object({ a: A }, { $defs: { a: { not: { $ref: '#/$defs/b' } }, b: A } }),
      ENDLESS,
    ],
    [
      'is itself where a field is there',
      object({ a: A }, { $defs: { a: { dependentSchemas: { b: A } } } }),
      ENDLESS,
    ],
    [
      'refers to another',
      object({ a: { $ref: 'https://example.com/a' } }),
      'must refer to its own parts only',
    ],
    ['refers to what is not there', object({ a: A }), 'refers to #/$defs/a, which is not there'],
    ['refers to what cannot be read', object({ a: { $ref: '#/%' } }), 'refers to #/%, which is not there'],
    [
      'refers to what is no schema',
      object({ a: { $ref: '#/type' } }),
      'must consist of objects, true and false',
    ],
    [
      'has parts with names of their own',
      object({ a: { $id: 'https://example.com/a' } }),
      'must not use $id',
    ],
    ['refers by a name', object({}, { $dynamicRef: '#a' }), 'must not use $dynamicRef'],
    ['is none', { type: 'no type' }, 'has a keyword of the wrong kind: type'],
    [
      'has a part that is none',
      object({ a: { required: true } }),
      'has a keyword of the wrong kind: required',
    ],
    ['has a number for a schema', { items: 5 }, 'has a keyword of the wrong kind: items'],
  ])('is refused when it %s', (_name, schema, reason) => {
    expect(() => boundSchema(schema)).toThrow(`the input schema ${reason}`);
  });

  it.each<[string, JsonObject]>([
    ['has a name as a whole', object({}, { $id: 'https://example.com/a', id: 'x' })],
    ['refers to itself at a deeper level', object({ a: { $ref: '#' } })],
    ['refers to itself in items', object({ a: A }, { $defs: { a: { items: A } } })],
    ['refers to one part more than once', object({ a: A, b: A }, { $defs: { a: { format: 'date' } } })],
    [
      'has fields that are called like keywords',
      object({ pattern: {}, $ref: { type: 'string' }, required: {} }),
    ],
    ['has limits of draft 4', object({ a: { minimum: 0, exclusiveMinimum: true } })],
    ['has unknown keywords', object({}, { 'x-order': 1, example: { items: 5 } })],
  ])('is taken when it %s', (_name, schema) => {
    expect(() => boundSchema(schema)).not.toThrow();
  });
});
