import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

/**
 * What a schema may say and still be held to by a provider in its strict mode; `true`: its value is a schema, or holds
 * some.
 */
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
/** Their keys are names, not keywords. */
const NAMES = new Set(['$defs', 'definitions', 'properties']);

/**
 * Can a provider hold a model to this schema to the letter (S2-10)? An object whose fields are all required and none
 * extra, at every depth, and nothing but keywords that strict modes know. What is not strict works too; its arguments
 * are only checked afterwards.
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

/** Objects say which fields there are, want all of them and no other. */
function isClosed({ type, properties, required, additionalProperties }: JsonObject): boolean {
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObject && properties === undefined) return true;
  if (!isJsonObject(properties) || additionalProperties !== false) return false;
  const wanted: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return Object.keys(properties).every((name) => wanted.includes(name));
}
