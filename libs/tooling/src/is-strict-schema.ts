import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

/** Keywords that providers support in strict mode; `true` if the keyword's value is a schema or contains schemas. */
const STRICT_KEYWORDS: ReadonlyMap<string, boolean> = new Map([
  ...['$defs', 'additionalProperties', 'anyOf', 'definitions', 'items', 'properties'].map(
    (keyword) => [keyword, true] as const,
  ),
  ...[
    ...['$ref', 'const', 'description', 'enum', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'maximum'],
    ...['maxItems', 'maxLength', 'minimum', 'minItems', 'minLength', 'multipleOf', 'pattern', 'required'],
    ...['title', 'type'],
  ].map((keyword) => [keyword, false] as const),
]);
/** Keywords with values that map names to schemas. */
const NAMES = new Set(['$defs', 'definitions', 'properties']);

/**
 * True if providers can enforce this schema in strict mode (S2-10): at every depth all fields are required, extra
 * fields are forbidden, and only supported keywords occur. Other schemas work too; their arguments are only validated
 * afterwards.
 */
export function isStrictSchema(schema: JsonObject): boolean {
  return schema['type'] === 'object' && isStrict(schema);
}

function isStrict(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return schema === false;
  return isClosed(schema) && Object.entries(schema).every(([keyword, value]) => isStrictPart(keyword, value));
}

function isStrictPart(keyword: string, value: JsonValue): boolean {
  const holdsSchemas = STRICT_KEYWORDS.get(keyword);
  if (holdsSchemas === undefined) return false;
  if (!holdsSchemas) return true;
  if (Array.isArray(value)) return value.every((item) => isStrict(item as JsonValue));
  if (NAMES.has(keyword)) return isJsonObject(value) && Object.values(value).every(isStrict);
  return isStrict(value);
}

/** True for objects that list their fields, require all of them and forbid others, and for schemas of other types. */
function isClosed({ type, properties, required, additionalProperties }: JsonObject): boolean {
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObject && properties === undefined) return true;
  if (!isJsonObject(properties) || additionalProperties !== false) return false;
  const wanted: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return Object.keys(properties).every((name) => wanted.includes(name));
}
