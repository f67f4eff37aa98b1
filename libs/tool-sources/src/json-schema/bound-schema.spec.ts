import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { boundSchema } from './bound-schema.js';
import { compileForeignSchema } from './compile-json-schema.js';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

function nested(levels: number): JsonObject {
  return levels === 0 ? { type: 'string' } : object({ a: nested(levels - 1) });
}

/** Two references to the next one each: a few lines that come to 2^levels checks. */
function doubling(levels: number): JsonObject {
  const $defs: Record<string, JsonObject> = { [`d${levels}`]: { type: 'string' } };
  for (let level = 0; level < levels; level += 1) {
    const $ref = `#/$defs/d${level + 1}`;
    $defs[`d${level}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return object({ a: { $ref: '#/$defs/d0' } }, { $defs });
}

describe('a schema that somebody else wrote', () => {
  it.each<[string, JsonObject, string]>([
    ['is too long', object({}, { description: 'x'.repeat(70_000) }), 'must have at most 65536 bytes'],
    ['is too deep', nested(40), 'must be nested at most 32 levels deep'],
    [
      'has too many parts',
      object({ a: { anyOf: Array.from({ length: 1_001 }, () => ({ type: 'string' })) } }),
      'must come to at most 1000 schemas, references followed',
    ],
    [
      'comes to too many by its references',
      doubling(12),
      'must come to at most 1000 schemas, references followed',
    ],
    ['is within itself', object({ a: { $ref: '#' } }), 'must not refer to itself'],
    [
      'is within itself by way of another',
      object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { items: { $ref: '#/$defs/a' } } } }),
      'must not refer to itself',
    ],
    [
      'refers to another',
      object({ a: { $ref: 'https://example.com/a' } }),
      'must refer to its own parts only',
    ],
    [
      'refers to what is not there',
      object({ a: { $ref: '#/$defs/a' } }),
      'refers to #/$defs/a, which is not there',
    ],
    ['has a name of its own', object({}, { $id: 'https://example.com/a' }), 'must not use $id'],
  ])('is refused before it is compiled when it %s', (_name, schema, reason) => {
    expect(() => compileForeignSchema(schema)).toThrow(`the input schema ${reason}`);
  });

  it('is checked like any other where it is small', () => {
    const read = compileForeignSchema(
      object(
        { at: { $ref: '#/$defs/a~1b' }, properties: { type: 'number' } },
        { $defs: { 'a/b': { format: 'date' } } },
      ),
    );
    expect(read({ at: '2026-02-28', properties: 1 }).success).toBe(true);
    expect(read({ at: '2026-02-30' }).success).toBe(false);
    expect(read({ properties: 'one' }).success).toBe(false);
  });

  it('takes no time over a pattern that would take for ever', () => {
    const read = compileForeignSchema(object({ a: { type: 'string', pattern: '^(a+)+$' } }));
    expect(read({ a: `${'a'.repeat(100_000)}b` }).success).toBe(true);
    expect(read({ a: 7 }).success).toBe(false);
  });

  it('lets every field through where patterns would have said which', () => {
    const closed = object({ a: { type: 'number' } }, { additionalProperties: false });
    expect(compileForeignSchema(closed)({ 'x-1': 1 }).success).toBe(false);
    expect(compileForeignSchema({ ...closed, patternProperties: { '^x-': {} } })({ 'x-1': 1 }).success).toBe(
      true,
    );
  });

  it('keeps what only looks like a keyword', () => {
    const schema = object(
      { pattern: { type: 'string', default: { pattern: 'a' } }, uniqueItems: true },
      { required: ['pattern'], dependencies: { pattern: ['uniqueItems'] } },
    );
    expect(boundSchema(schema)).toEqual(schema);
  });

  it('has one fault named, however many there are', () => {
    const read = compileForeignSchema(object({ a: { items: { type: 'string' } } }));
    expect(read({ a: [1, 2, 3] })).toEqual({ success: false, reasons: ['a.0: must be string'] });
  });
});
