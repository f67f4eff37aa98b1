import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

/** Keywords that judge the same value as the schema that they stand in; their value is a schema, or a list of some. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'else', 'if', 'not', 'oneOf', 'then']);
/** Keywords that judge parts of the value; their value is a schema, or a list of some. */
const OF_PARTS: ReadonlySet<string> = new Set([
  ...['additionalItems', 'additionalProperties', 'contains', 'items', 'prefixItems', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords that hold schemas by names; two of them judge the same value. */
const NAMED: ReadonlySet<string> = new Set(['$defs', 'definitions', 'patternProperties', 'properties']);
const NAMED_IN_PLACE: ReadonlySet<string> = new Set(['dependencies', 'dependentSchemas']);

/** How the value of a keyword holds schemas; null where it holds none. */
function holderOf(keyword: string): 'schemas' | 'names' | null {
  if (IN_PLACE.has(keyword) || OF_PARTS.has(keyword)) return 'schemas';
  return NAMED.has(keyword) || NAMED_IN_PLACE.has(keyword) ? 'names' : null;
}

/** The schemas within a schema, one level down; references are not followed. */
export function subschemasOf(schema: JsonObject): JsonValue[] {
  return Object.keys(schema).flatMap((keyword) => schemasUnder(schema, keyword));
}

/** The schemas one level down that judge the same value. */
export function inPlaceSubschemasOf(schema: JsonObject): JsonValue[] {
  return Object.keys(schema)
    .filter((keyword) => IN_PLACE.has(keyword) || NAMED_IN_PLACE.has(keyword))
    .flatMap((keyword) => schemasUnder(schema, keyword));
}

/** The same schema with each schema within it, one level down, replaced. */
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

/** The part of a schema that a reference leads to; undefined where there is none, or it leads out of the schema. */
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
