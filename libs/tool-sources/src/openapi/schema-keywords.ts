import type { JsonObject, JsonValue } from '#libs/kernel';

const MAX_TEXT = 500;
const MAX_CHOICES = 500;

const TYPES: ReadonlySet<unknown> = new Set([
  ...['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
]);

const isCount = (value: JsonValue): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isText = (value: JsonValue): boolean => typeof value === 'string' && value.length <= MAX_TEXT;
/** Small enough to be copied with each use of the schema. */
const isSmall = (value: JsonValue): boolean =>
  typeof value === 'string' ? value.length <= MAX_TEXT : typeof value !== 'object' || value === null;
const isType = (value: JsonValue): boolean =>
  TYPES.has(value) || (Array.isArray(value) && value.length > 0 && value.every((type) => TYPES.has(type)));

/** Keywords that are kept, each with the check of its value. */
const KEPT: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  type: isType,
  title: isText,
  description: (value) => typeof value === 'string',
  enum: (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MAX_CHOICES && value.every(isSmall),
  const: isSmall,
  default: isSmall,
  format: isText,
  pattern: isText,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  minProperties: isCount,
  maxProperties: isCount,
  contentEncoding: isText,
  contentMediaType: isText,
};

const DESCRIBING: ReadonlySet<string> = new Set(['title', 'description']);

/** The schema's own kept keywords with valid values; OpenAPI 3.0's boolean exclusive limits become numeric ones. */
export function keptKeywords(schema: JsonObject, isDescribed: boolean): Record<string, JsonValue> {
  const kept: Record<string, JsonValue> = {};
  for (const [keyword, isUsable] of Object.entries(KEPT)) {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (value === undefined || !isUsable(value)) continue;
    if (isDescribed || !DESCRIBING.has(keyword)) kept[keyword] = tidied(value);
  }
  // In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive.
  const { minimum, maximum, ...others } = kept;
  return {
    ...others,
    ...(minimum !== undefined && { [limitOf(schema, 'exclusiveMinimum', 'minimum')]: minimum }),
    ...(maximum !== undefined && { [limitOf(schema, 'exclusiveMaximum', 'maximum')]: maximum }),
  };
}

/** Truncates long texts and removes duplicates from lists. */
function tidied(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return [...new Set(value as readonly JsonValue[])];
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

function limitOf(schema: JsonObject, exclusive: string, inclusive: string): string {
  return schema[exclusive] === true ? exclusive : inclusive;
}
