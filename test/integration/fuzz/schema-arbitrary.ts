import fc from 'fast-check';
import { resolve, type JsonSchema, type OpenApiDocument } from '../../support/openapi/openapi-document.js';

/** Values known to the service, for example ids of resources, by the name of the field or parameter. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

const MAX_CHARACTERS = 40;
const MAX_ITEMS = 4;

/** Values that the schema allows; fields with known values mostly get one of these. */
export function arbitraryOf(
  document: OpenApiDocument,
  schema: JsonSchema,
  known: KnownValues = {},
): fc.Arbitrary<unknown> {
  const resolved = resolve(document, schema);
  if (resolved.const !== undefined) return fc.constant(resolved.const);
  if (resolved.enum !== undefined) return fc.constantFrom(...resolved.enum);
  const choices = resolved.anyOf ?? resolved.oneOf;
  if (choices !== undefined)
    return fc.oneof(...choices.map((choice) => arbitraryOf(document, choice, known)));
  switch (resolved.type) {
    case 'object':
      return objects(document, resolved, known);
    case 'array':
      return fc.array(arbitraryOf(document, resolved.items ?? {}, known), {
        minLength: resolved.minItems ?? 0,
        maxLength: Math.min(resolved.maxItems ?? MAX_ITEMS, Math.max(resolved.minItems ?? 0, MAX_ITEMS)),
      });
    case 'string':
      return strings(resolved);
    case 'integer':
      return fc.integer({
        min: Math.max(resolved.minimum ?? -1_000, -(2 ** 31)),
        max: Math.min(resolved.maximum ?? 1_000, 2 ** 31 - 1),
      });
    case 'number':
      return fc.double({ min: resolved.minimum ?? -1e6, max: resolved.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects(
  document: OpenApiDocument,
  { properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema,
  known: KnownValues,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const bySchema = arbitraryOf(document, schema, known);
      const values = known[name];
      const field =
        values === undefined
          ? bySchema
          : fc.oneof(
              { weight: 9, arbitrary: fc.constantFrom(...values) },
              { weight: 1, arbitrary: bySchema },
            );
      return [name, field];
    }),
  );
  const named = fc.record(fields, { requiredKeys: [...required] });
  if (typeof additionalProperties !== 'object') return named;
  const values = arbitraryOf(document, additionalProperties, known);
  const keys =
    propertyNames?.pattern === undefined
      ? fc.string({ minLength: 1, maxLength: 10 })
      : strings(propertyNames);
  const others = fc.dictionary(keys, values, { maxKeys: MAX_ITEMS });
  return fc.tuple(others, named).map(([more, given]) => ({ ...more, ...given }));
}

function strings({ format, pattern, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl({ size: 'small' });
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined)
    // The smallest size hardly ever makes more than one character, and the filter would draw without end.
    return fc
      .stringMatching(new RegExp(pattern), { size: minLength > 1 ? 'small' : 'xsmall' })
      .filter(({ length }) => length >= minLength && length <= (maxLength ?? Infinity));
  const most = Math.max(minLength, Math.min(maxLength ?? MAX_CHARACTERS, MAX_CHARACTERS));
  return fc.string({ unit: 'grapheme', minLength, maxLength: most });
}
