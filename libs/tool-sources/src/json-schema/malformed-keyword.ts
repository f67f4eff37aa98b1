import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

const TYPES: ReadonlySet<JsonValue> = new Set([
  ...['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
]);

const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isCount = (value: JsonValue): boolean => typeof value === 'number' && value >= 0;
const isText = (value: JsonValue): boolean => typeof value === 'string';
const isFlag = (value: JsonValue): boolean => typeof value === 'boolean';
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
const isTexts = (value: JsonValue): boolean => isList(value) && value.every(isText);
const isType = (value: JsonValue): boolean =>
  TYPES.has(value) ||
  (isList(value) && value.length > 0 && value.length <= TYPES.size && value.every((type) => TYPES.has(type)));
const isSchema = (value: JsonValue): boolean => isFlag(value) || isJsonObject(value);
const isSchemas = (value: JsonValue): boolean => isList(value) && value.length > 0 && value.every(isSchema);
const isNamed = (value: JsonValue, isInner: (inner: JsonValue) => boolean): boolean =>
  isJsonObject(value) && Object.values(value).every(isInner);
/** A flag beside `minimum` in draft 4, a number of its own in later drafts. */
const isExclusiveLimit = (value: JsonValue): boolean => isNumber(value) || isFlag(value);

/** Value check per keyword; values of other keywords are not checked. */
const IS_WELL_FORMED: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ['type', isType],
  ['enum', isList],
  ['multipleOf', (value: JsonValue) => typeof value === 'number' && value > 0],
  ...['minimum', 'maximum'].map((keyword) => [keyword, isNumber] as const),
  ...['exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [keyword, isExclusiveLimit] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ...['minProperties', 'maxProperties'].map((keyword) => [keyword, isCount] as const),
  ...['description', 'format', 'pattern', 'title', '$ref'].map((keyword) => [keyword, isText] as const),
  ['uniqueItems', isFlag],
  ['required', isTexts],
  ['items', (value: JsonValue) => isSchema(value) || (isList(value) && value.every(isSchema))],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, isSchemas] as const),
  ...['additionalItems', 'additionalProperties', 'contains', 'else', 'if', 'not', 'propertyNames'].map(
    (keyword) => [keyword, isSchema] as const,
  ),
  ...['then', 'unevaluatedItems', 'unevaluatedProperties'].map((keyword) => [keyword, isSchema] as const),
  ...['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'].map(
    (keyword) => [keyword, (value: JsonValue) => isNamed(value, isSchema)] as const,
  ),
  ['dependentRequired', (value: JsonValue) => isNamed(value, isTexts)],
  ['dependencies', (value: JsonValue) => isNamed(value, (inner) => isSchema(inner) || isTexts(inner))],
]);

/** The first keyword with a malformed value; null if there is none. */
export function malformedKeyword(schema: JsonObject): string | null {
  for (const [keyword, value] of Object.entries(schema))
    if (IS_WELL_FORMED.get(keyword)?.(value) === false) return keyword;
  return null;
}
