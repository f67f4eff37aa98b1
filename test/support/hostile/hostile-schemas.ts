import fc from 'fast-check';
import type { JsonObject, JsonValue } from '#libs/kernel';

/** A schema of a tool server, and the arguments of a model's call. */
export interface HostileCall {
  readonly schema: JsonObject;
  readonly input: JsonObject;
}

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_none, at) => make(at));
const named = <Value>(count: number, make: (at: number) => Value): Record<string, Value> =>
  Object.fromEntries(times(count, (at) => [`p${at}`, make(at)]));

const few = fc.integer({ min: 1, max: 30 });
const many = fc.integer({ min: 300, max: 900 });
const long = fc.integer({ min: 5_000, max: 28_000 });

/** Schemas that are short, but may be expensive each time they are checked. */
const inner: fc.Arbitrary<JsonObject> = fc.oneof(
  long.map((length) => ({ const: 'x'.repeat(length) })),
  long.map((length) => ({ enum: ['x'.repeat(length), 'y'] })),
  many.map((count) => ({ enum: times(count, (at) => [[at]]) })),
  many.map((count) => ({ enum: times(count, (at) => ({ [`a${at}`]: at })) })),
  many.map((count) => ({ type: times(count, () => 'string') })),
  many.map((count) => ({ properties: { ...named(count, () => true), p0: false } })),
  many.map((count) => ({ properties: named(count, (at) => ({ const: at })) })),
  many.map((count) => ({ dependentSchemas: { p0: false, ...named(count, () => true) } })),
  many.map((count) => ({ required: times(count, (at) => `p${at}`) })),
  many.map((count) => ({ minLength: 1, ...named(count, () => 1) })),
  many.map((count) => ({ prefixItems: times(count, () => true) })),
  fc.constantFrom<JsonObject>(
    ...[{ additionalProperties: false }, { additionalProperties: true }, { propertyNames: { minLength: 2 } }],
    ...[{ minProperties: 1 }, { maxProperties: 1 }, { contains: false }, { uniqueItems: true }],
    ...[
      { minLength: 300_000 },
      { maxLength: 1 },
      { format: 'email' },
      { format: 'uri' },
      { format: 'regex' },
    ],
    ...[{ pattern: '^(a+)+$' }, { patternProperties: { '^(a|a)*$': false } }, { multipleOf: 1e-300 }],
    ...[
      { required: ['__proto__'] },
      { properties: { constructor: false, ['__proto__']: { type: 'string' } } },
    ],
  ),
);

/** Wrappers that make one schema be checked many times. */
const around: fc.Arbitrary<(schema: JsonObject) => JsonObject> = fc.oneof(
  fc.constantFrom<(schema: JsonObject) => JsonObject>(
    (schema) => ({ items: schema }),
    (schema) => ({ contains: schema }),
    (schema) => ({ additionalProperties: schema }),
    (schema) => ({ propertyNames: schema }),
    (schema) => ({ items: { not: schema } }),
    (schema) => ({ contains: { contains: schema } }),
  ),
  fc
    .tuple(many, fc.constantFrom('allOf', 'anyOf', 'oneOf'))
    .map(([count, keyword]) => (schema: JsonObject) => ({
      $defs: { it: schema },
      [keyword]: times(count, () => ({ $ref: '#/properties/a/$defs/it' })),
    })),
  fc.tuple(few, fc.constantFrom('allOf', 'anyOf')).map(([levels, keyword]) => (schema: JsonObject) => ({
    $defs: {
      ...Object.fromEntries(
        times(levels, (at) => {
          const next = { $ref: `#/properties/a/$defs/d${at + 1}` };
          return [`d${at}`, { [keyword]: [next, next] }];
        }),
      ),
      [`d${levels}`]: schema,
    },
    $ref: '#/properties/a/$defs/d0',
  })),
  few.map((levels) => (schema: JsonObject) => {
    let tower = schema;
    for (let level = 0; level < levels; level += 1) tower = { not: tower };
    return { items: tower };
  }),
);

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc
    .integer({ min: 1_000, max: 60_000 })
    .chain((count) =>
      fc
        .constantFrom<JsonValue>(1, 'a', { p0: 1 }, [], [[1]])
        .map((item) => times(Math.min(count, Math.floor(200_000 / JSON.stringify(item).length)), () => item)),
    ),
  fc.integer({ min: 1_000, max: 20_000 }).map((count) => named(count, () => 1)),
  fc.integer({ min: 1_000, max: 200_000 }).map((length) => 'a'.repeat(length)),
  fc
    .integer({ min: 1, max: 14 })
    .map((levels) => times(levels, () => 0).reduce<JsonValue>((within) => [within, within], 1)),
);

/** Calls with arguments that are expensive to check; most of the schemas are small enough to be accepted. */
export const hostileCall: fc.Arbitrary<HostileCall> = fc
  .tuple(around, inner, value)
  .map(([wrap, schema, a]) => ({
    schema: { type: 'object', properties: { a: wrap(schema) } },
    input: { a },
  }));

/** The parts of a root that describe one field, `a`, or names. */
const part: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.nat(5_000).map((at) => ({ properties: { a: { const: at } } })),
  few.map((count) => ({ required: times(count * 30, (at) => `p${at}`) })),
  few.map((count) => ({ properties: named(count * 30, () => true), additionalProperties: false })),
  few.map((count) => ({ oneOf: times(count, (at) => ({ required: [`a${at}`] })) })),
  few.map((count) => ({ anyOf: times(count, (at) => ({ properties: { a: { const: at } } })) })),
);

/** Roots that become much longer when their parts and alternatives are merged. */
export const hostileRoot: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.array(part, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 1, max: 60 }),
    fc.constantFrom('allOf', 'anyOf', 'oneOf'),
    fc.boolean(),
  )
  .map(([parts, levels, keyword, alternates]) => {
    const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
    const level = (at: number): JsonObject => {
      const next = ref(`d${at + 1}`);
      const extra = (number: number): JsonObject => ({ properties: { a: { enum: [`${at}.${number}`] } } });
      if (!alternates) return { [keyword]: [next, next] };
      return { anyOf: [{ allOf: [next, extra(1)] }, { allOf: [next, extra(2)] }] };
    };
    return {
      type: 'object',
      $defs: {
        ...Object.fromEntries(times(levels, (at) => [`d${at}`, level(at)])),
        [`d${levels}`]: { allOf: parts },
      },
      allOf: [ref('d0')],
    };
  });
