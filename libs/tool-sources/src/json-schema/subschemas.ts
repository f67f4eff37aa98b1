import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

/** Keywords that apply schemas to the same value; each holds a schema or a list of schemas. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'else', 'if', 'not', 'oneOf', 'then']);
/** Keywords that apply schemas to parts of the value; each holds a schema or a list of schemas. */
const OF_PARTS: ReadonlySet<string> = new Set([
  ...['additionalItems', 'additionalProperties', 'contains', 'items', 'prefixItems', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords that hold schemas by name; two of them apply to the same value. */
const NAMED: ReadonlySet<string> = new Set(['$defs', 'definitions', 'patternProperties', 'properties']);
const NAMED_IN_PLACE: ReadonlySet<string> = new Set(['dependencies', 'dependentSchemas']);

/** Structure of a keyword's value; null if it holds no schemas. */
function holderOf(keyword: string): 'schemas' | 'names' | null {
  if (IN_PLACE.has(keyword) || OF_PARTS.has(keyword)) return 'schemas';
  return NAMED.has(keyword) || NAMED_IN_PLACE.has(keyword) ? 'names' : null;
}

/** Direct subschemas; references are not followed. */
export function subschemasOf(schema: JsonObject): JsonValue[] {
  return Object.keys(schema).flatMap((keyword) => schemasUnder(schema, keyword));
}

/** Direct subschemas that apply to the same value. */
export function inPlaceSubschemasOf(schema: JsonObject): JsonValue[] {
  return Object.keys(schema)
    .filter((keyword) => IN_PLACE.has(keyword) || NAMED_IN_PLACE.has(keyword))
    .flatMap((keyword) => schemasUnder(schema, keyword));
}

/** Copies a schema with each direct subschema replaced. */
export function mapSubschemas(schema: JsonObject, map: (inner: JsonObject) => JsonValue): JsonObject {
  const mapOne = (inner: JsonValue): JsonValue => (isJsonObject(inner) ? map(inner) : inner);
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonValue] => {
    const holder = holderOf(keyword);
    if (holder === 'schemas')
      return [keyword, Array.isArray(value) ? (value as JsonValue[]).map(mapOne) : mapOne(value)];
    if (holder !== 'names' || !isJsonObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapOne(inner)]))];
  });
  return Object.fromEntries(entries);
}

/** Resolves a reference within the schema; undefined if it is dangling or external. */
export function referredTo(reference: string, root: JsonObject): JsonValue | undefined {
  if (!/^#($|\/)/.test(reference)) return undefined;
  let value: unknown = root;
  for (const segment of reference.split('/').slice(1)) {
    const key = decoded(segment)?.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof value === 'object' && value !== null && key !== undefined;
    value = isThere && Object.hasOwn(value as object, key) ? Reflect.get(value as object, key) : undefined;
  }
  return value as JsonValue | undefined;
}

function schemasUnder(schema: JsonObject, keyword: string): JsonValue[] {
  const value = schema[keyword] as JsonValue;
  switch (holderOf(keyword)) {
    case 'schemas':
      return Array.isArray(value) ? (value as JsonValue[]) : [value];
    case 'names':
      return isJsonObject(value) ? Object.values(value).filter((inner) => !Array.isArray(inner)) : [];
    default:
      return [];
  }
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
