import { AppError, isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

/** Bytes of the schema as JSON. */
const MAX_BYTES = 65_536;
/** Schemas within it, each counted as often as something refers to it: about what is checked of one value. */
const MAX_SCHEMAS = 1_000;
const MAX_DEPTH = 32;

/** Keywords whose value is a schema, or a list of some. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ...['additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'contains', 'else', 'if', 'items', 'not'],
  ...['oneOf', 'prefixItems', 'propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords that hold schemas by names. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'properties'],
]);
/**
 * What is left to whoever runs the tool. A pattern may take exponential time (as does a `format` of one), and to
 * compare all items of a list quadratic time.
 */
const UNCHECKED: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'uniqueItems']);
/** What lets no property through that is not named: wrong as soon as the patterns among the names are gone. */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/**
 * The schema, without what nobody can check in time. Throws an `AppError` where it is too large, refers to itself or to
 * something outside: to check a value by it could take any time.
 */
export function boundSchema(schema: JsonObject): JsonObject {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES)
    throw unbounded(`must have at most ${MAX_BYTES} bytes`);
  countSchemas(schema, schema, new Map(), 1);
  return withoutUnchecked(schema) as JsonObject;
}

/** How many schemas a value is checked by. `counts` holds what is known, and 0 for what is being counted. */
function countSchemas(
  schema: JsonValue,
  root: JsonObject,
  counts: Map<JsonValue, number>,
  depth: number,
): number {
  if (!isJsonObject(schema)) return 0;
  const known = counts.get(schema);
  if (known === 0) throw unbounded('must not refer to itself');
  if (known !== undefined) return known;
  if (depth > MAX_DEPTH) throw unbounded(`must be nested at most ${MAX_DEPTH} levels deep`);
  counts.set(schema, 0);
  let count = 1;
  for (const inner of [...schemasIn(schema), ...referredTo(schema, root)]) {
    count += countSchemas(inner, root, counts, depth + 1);
    if (count > MAX_SCHEMAS)
      throw unbounded(`must come to at most ${MAX_SCHEMAS} schemas, references followed`);
  }
  counts.set(schema, count);
  return count;
}

function schemasIn(schema: JsonObject): JsonValue[] {
  return Object.entries(schema).flatMap(([keyword, value]): JsonValue[] => {
    if (NAMED_SCHEMAS.has(keyword)) return isJsonObject(value) ? Object.values(value) : [];
    if (!SCHEMA_KEYWORDS.has(keyword)) return [];
    return Array.isArray(value) ? (value as JsonValue[]) : [value];
  });
}

/** A pointer within the schema is all that is followed. */
function referredTo(schema: JsonObject, root: JsonObject): JsonValue[] {
  for (const keyword of ['$id', 'id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef'])
    if (typeof schema[keyword] === 'string') throw unbounded(`must not use ${keyword}`);
  const reference = schema['$ref'];
  if (reference === undefined) return [];
  if (typeof reference !== 'string' || !/^#($|\/)/.test(reference))
    throw unbounded('must refer to its own parts only');
  return [atPointer(root, reference)];
}

function atPointer(root: JsonObject, reference: string): JsonValue {
  let value: unknown = root;
  for (const segment of reference.split('/').slice(1)) {
    const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    value = isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (value === undefined) throw unbounded(`refers to ${reference}, which is not there`);
  return value as JsonValue;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function withoutUnchecked(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => withoutUnchecked(item as JsonValue));
  if (!isJsonObject(schema)) return schema;
  const isOpen = schema['patternProperties'] !== undefined;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !UNCHECKED.has(keyword) &&
      !(isOpen && CLOSING.has(keyword)) &&
      !(keyword === 'format' && value === 'regex'),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, boundPart(keyword, value)]));
}

function boundPart(keyword: string, value: JsonValue): JsonValue {
  if (SCHEMA_KEYWORDS.has(keyword)) return withoutUnchecked(value);
  if (!NAMED_SCHEMAS.has(keyword) || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      Array.isArray(inner) ? inner : withoutUnchecked(inner),
    ]),
  );
}

function unbounded(reason: string): AppError {
  return new AppError({
    code: 'TOOL_SCHEMA_INVALID',
    kind: 'internal',
    message: `the input schema ${reason}`,
  });
}
