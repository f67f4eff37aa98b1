import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '#libs/kernel';
import { compileForeignSchema } from './compile-foreign-schema.js';
import { compileJsonSchema } from './compile-json-schema.js';

const DIALECT_2020 = 'https://json-schema.org/draft/2020-12/schema';
const TOO_MANY = ['must be smaller: there are too many values to be checked by the schema'];

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

const scalar = fc.oneof(
  fc.constantFrom<JsonValue>('', 'a', 'ab', '2026-02-28', 'x@example.com', 0, 1, 1.5, -3, true, null),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const few = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 2 });
const count = fc.nat(2);
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 });
const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const inner = tie('schema');
  const named = fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner, { maxKeys: 2 });
  const keywords: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    type: fc.constantFrom<JsonValue>('object', 'array', 'string', 'integer', ['number', 'null']),
    enum: few(value),
    const: value,
    minimum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(1, 0.5),
    ...{ minLength: count, maxLength: count, minItems: count, maxItems: count },
    ...{ minProperties: count, maxProperties: count },
    format: fc.constantFrom('date', 'email', 'unknown'),
    required: names,
    ...{
      properties: named,
      dependentSchemas: named,
      dependentRequired: fc.dictionary(fc.constant('a'), names),
    },
    ...{ additionalProperties: inner, propertyNames: inner, items: inner, contains: inner, not: inner },
    ...{ prefixItems: few(inner), allOf: few(inner), anyOf: few(inner), oneOf: few(inner) },
    ...{ if: inner, then: inner, else: inner },
  };
  const one = Object.entries(keywords).map(([keyword, wanted]) =>
    wanted.map((each) => ({ [keyword]: each })),
  );
  const some = fc.array(fc.oneof(...one), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.boolean(),
      some.map((parts) => Object.assign({}, ...parts) as JsonObject),
    ),
  };
});

describe('a foreign schema', () => {
  it('says the same of a value as the compiler of our own schemas does', () => {
    fc.assert(
      fc.property(schema, value, (judging, judged) => {
        const whole = object({ it: judging }, { $schema: DIALECT_2020 });
        expect(compileForeignSchema(whole)({ it: judged }).success).toBe(
          compileJsonSchema(whole)({ it: judged }).success,
        );
      }),
      { numRuns: 40 },
    );
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ['a missing field', { required: ['a'] }, {}, "must have required property 'a'"],
    [
      'a field that there is not',
      { additionalProperties: false },
      { x: 1 },
      'must NOT have additional properties: x',
    ],
    [
      'an item',
      { properties: { a: { items: { type: 'string' } } } },
      { a: ['x', 1, 2] },
      'a.1: must be string',
    ],
    [
      'the values that are allowed',
      { properties: { a: { enum: ['kg', 'g'] } } },
      { a: 'lb' },
      'a: must be equal to one of the allowed values: ["kg","g"]',
    ],
    [
      'a limit of draft 4',
      { properties: { a: { minimum: 0, exclusiveMinimum: true } } },
      { a: 0 },
      'a: must be > 0',
    ],
    [
      'a tuple of draft 4',
      { properties: { a: { items: [{ type: 'string' }] } } },
      { a: [1] },
      'a.0: must be string',
    ],
  ])('names %s', (_what, part, input, reason) => {
    expect(compileForeignSchema({ type: 'object', ...part })(input)).toEqual({
      success: false,
      reasons: [reason],
    });
  });

  it('names what each form finds fault with', () => {
    const read = compileForeignSchema({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(read({ a: 1 }).success).toBe(true);
    expect(read({})).toEqual({
      success: false,
      reasons: [
        "must have required property 'a'",
        "must have required property 'b'",
        'must match exactly one schema in oneOf',
      ],
    });
    expect(read({ a: 1, b: 1 })).toEqual({
      success: false,
      reasons: ['must match exactly one schema in oneOf'],
    });
  });

  it('may refer to itself: a value is checked at every level', () => {
    const node = object({ title: { type: 'string' }, children: { items: { $ref: '#/$defs/node' } } });
    const read = compileForeignSchema(object({ tree: { $ref: '#/$defs/node' } }, { $defs: { node } }));
    const tree = (title: JsonValue): JsonObject => ({
      tree: { title: 'a', children: [{ children: [{ title, children: [] }] }] },
    });
    expect(read(tree('b')).success).toBe(true);
    expect(read(tree(7))).toEqual({
      success: false,
      reasons: ['tree.children.0.children.0.title: must be string'],
    });
  });

  it('leaves patterns, and what depends on them, to the server', () => {
    const closed = object({ a: { type: 'number' } }, { additionalProperties: false });
    expect(compileForeignSchema(closed)({ 'x-1': 1 }).success).toBe(false);
    expect(compileForeignSchema({ ...closed, patternProperties: { '^x-': {} } })({ 'x-1': 1 }).success).toBe(
      true,
    );
    const read = compileForeignSchema(object({ a: { type: 'string', pattern: '^(a+)+$', format: 'regex' } }));
    expect(read({ a: `${'a'.repeat(100_000)}(` }).success).toBe(true);
    expect(read({ a: 7 }).success).toBe(false);
  });

  it('does not take what objects inherit for a field', () => {
    expect(compileForeignSchema({ type: 'object', required: ['constructor'] })({}).success).toBe(false);
  });
});

/** Each level references the next one twice, so that a short schema takes 2^levels checks. */
function doubling(levels: number, keyword: 'allOf' | 'anyOf'): JsonObject {
  const $defs: Record<string, JsonObject> = { [`d${levels}`]: { type: 'string' } };
  for (let level = 0; level < levels; level += 1) {
    const $ref = `#/$defs/d${level + 1}`;
    $defs[`d${level}`] = { [keyword]: [{ $ref }, { $ref }] };
  }
  return object({ a: { $ref: '#/$defs/d0' } }, { $defs });
}

function nestedNot(levels: number): JsonObject {
  return levels === 0
    ? { type: 'string' }
    : { not: { type: ['integer', 'string'], ...nestedNot(levels - 1) } };
}

const numbers = (length: number): JsonValue[] => Array.from({ length }, (_, at) => at);

describe('hostile schemas and arguments are refused after a bounded number of steps', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['references that double', doubling(30, 'anyOf'), { a: 1 }],
    ['references that double and fit', doubling(30, 'allOf'), { a: 'x' }],
    [
      'a list by many schemas',
      object({ a: { items: { allOf: Array.from({ length: 100 }, () => nestedNot(3)) } } }),
      { a: numbers(50_000) },
    ],
    [
      'names that are required of each item',
      object({ a: { items: { required: Array.from({ length: 2_500 }, (_, at) => `${at}`) } } }),
      {
        a: Array.from({ length: 100 }, () =>
          Object.fromEntries(Array.from({ length: 2_500 }, (_, at) => [`${at}`, 1])),
        ),
      },
    ],
    [
      'values that are compared with each item',
      object({ a: { items: { enum: Array.from({ length: 2_000 }, (_, at) => [[at]]) } } }),
      { a: Array.from({ length: 2_000 }, () => [[1_999]]) },
    ],
    [
      'texts whose length each of many schemas asks for',
      object({ a: { allOf: Array.from({ length: 500 }, () => ({ minLength: 3 })) } }),
      { a: 'x'.repeat(200_000) },
    ],
    [
      'a form that is asked for by way of itself',
      object(
        { a: { $ref: '#/$defs/a' } },
        { $defs: { a: { items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }, type: 'array' } } },
      ),
      { a: numbers(60).reduce<JsonValue>((within) => [within], 1) },
    ],
  ])('%s', (_what, hostile, input) => {
    expect(compileForeignSchema(hostile)(input)).toEqual({ success: false, reasons: TOO_MANY });
  });

  it('a chain of references that is deeper than the call stack should be', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
    );
    const read = compileForeignSchema(
      object({ a: { $ref: '#/$defs/d0' } }, { $defs: { ...$defs, d900: {} } }),
    );
    expect(read({ a: 1 })).toEqual({ success: false, reasons: TOO_MANY });
  });

  it('yet arguments as large as they may be are checked by an ordinary schema', () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ({ id: at, name: `row ${at}`, tags: ['a', 'b'] }));
    const row = object(
      {
        id: { type: 'integer' },
        name: { type: 'string', maxLength: 80 },
        tags: { items: { enum: ['a', 'b'] } },
      },
      { required: ['id', 'name'], additionalProperties: false },
    );
    expect(compileForeignSchema(object({ rows: { items: row } }))({ rows }).success).toBe(true);
  });
});
