import type { JsonObject, JsonValue } from '#libs/kernel';

const LONGEST_TEXT = 500;
const MOST_CHOICES = 500;

const TYPES: ReadonlySet<unknown> = new Set([
  ...['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
]);

const isCount = (value: JsonValue): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isText = (value: JsonValue): boolean => typeof value === 'string' && value.length <= LONGEST_TEXT;
/** What is copied with every schema that has it. */
const isSmall = (value: JsonValue): boolean =>
  typeof value === 'string' ? value.length <= LONGEST_TEXT : typeof value !== 'object' || value === null;
const isType = (value: JsonValue): boolean =>
  TYPES.has(value) || (Array.isArray(value) && value.length > 0 && value.every((type) => TYPES.has(type)));

/** What of a schema says something of a value by itself, and when it says something at all. */
const KEPT: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  type: isType,
  title: isText,
  description: (value) => typeof value === 'string',
  enum: (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MOST_CHOICES && value.every(isSmall),
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

/** A copy of what is kept of a schema's own keywords, each of the kind that JSON Schema wants; limits as numbers (3.0). */
export function keptKeywords(schema: JsonObject, isDescribed: boolean): Record<string, JsonValue> {
  const kept: Record<string, JsonValue> = {};
  for (const [keyword, isUsable] of Object.entries(KEPT)) {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (value === undefined || !isUsable(value)) continue;
    if (isDescribed || !DESCRIBING.has(keyword)) kept[keyword] = tidied(value);
  }
  // OpenAPI 3.0: the limit itself is not allowed.
  const { minimum, maximum, ...others } = kept;
  return {
    ...others,
    ...(minimum !== undefined && { [limitOf(schema, 'exclusiveMinimum', 'minimum')]: minimum }),
    ...(maximum !== undefined && { [limitOf(schema, 'exclusiveMaximum', 'maximum')]: maximum }),
  };
}

/** Texts of no great length; lists of choices and types, as JSON Schema wants them, without the same one twice. */
function tidied(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return [...new Set(value as readonly JsonValue[])];
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return value;
  return `${value.slice(0, LONGEST_TEXT - 1).toWellFormed()}…`;
}

function limitOf(schema: JsonObject, exclusive: string, inclusive: string): string {
  return schema[exclusive] === true ? exclusive : inclusive;
}
