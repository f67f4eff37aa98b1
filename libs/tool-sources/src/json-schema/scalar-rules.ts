import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { isEqualJson } from './equal-json.js';
import { refused, type Faults } from './faults.js';
import type { Rule } from './json-schema-rule.js';

/** Rules of keywords for single values: type, allowed values, numbers and texts. */
export const SCALAR_RULES: Readonly<Record<string, Rule>> = {
  type: (wanted, value) => {
    const types = (Array.isArray(wanted) ? wanted : [wanted]) as readonly string[];
    return types.some((type) => isOfType(value, type)) ? null : refused(() => `must be ${types.join(',')}`);
  },
  enum: (wanted, value, { steps }) => {
    const isAllowed = (wanted as readonly JsonValue[]).some((item) => isEqualJson(item, value, steps));
    return isAllowed
      ? null
      : refused(() => `must be equal to one of the allowed values: ${JSON.stringify(wanted)}`);
  },
  const: (wanted, value, { steps }) =>
    isEqualJson(wanted, value, steps)
      ? null
      : refused(() => `must be equal to constant: ${JSON.stringify(wanted)}`),
  minimum: (wanted, value, { schema }) =>
    schema['exclusiveMinimum'] === true
      ? compare(value, '>', wanted, (a, b) => a > b)
      : compare(value, '>=', wanted, (a, b) => a >= b),
  maximum: (wanted, value, { schema }) =>
    schema['exclusiveMaximum'] === true
      ? compare(value, '<', wanted, (a, b) => a < b)
      : compare(value, '<=', wanted, (a, b) => a <= b),
  exclusiveMinimum: (wanted, value) => compare(value, '>', wanted, (a, b) => a > b),
  exclusiveMaximum: (wanted, value) => compare(value, '<', wanted, (a, b) => a < b),
  multipleOf: (wanted, value) =>
    typeof value === 'number' && typeof wanted === 'number' && !Number.isInteger(value / wanted)
      ? refused(`must be multiple of ${wanted}`)
      : null,
  minLength: (wanted, value, { steps }) => {
    if (typeof value !== 'string' || typeof wanted !== 'number') return null;
    steps.take(stepsOf(value));
    return characters(value) < wanted ? refused(`must NOT have fewer than ${wanted} characters`) : null;
  },
  maxLength: (wanted, value, { steps }) => {
    if (typeof value !== 'string' || typeof wanted !== 'number' || value.length <= wanted) return null;
    steps.take(stepsOf(value));
    return characters(value) > wanted ? refused(`must NOT have more than ${wanted} characters`) : null;
  },
  format: (wanted, value, { steps }) => {
    if (typeof wanted !== 'string') return null;
    if (typeof value === 'string') steps.take(FORMAT_STEPS + stepsOf(value, CHARACTERS_OF_FORMAT_STEP));
    return isOfFormat(value, wanted) ? null : refused(`must match format "${wanted}"`);
  },
};

function isOfType(value: JsonValue, type: JsonValue): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function compare(
  value: JsonValue,
  sign: string,
  wanted: JsonValue,
  isKept: (value: number, limit: number) => boolean,
): Faults {
  if (typeof value !== 'number' || typeof wanted !== 'number') return null;
  return isKept(value, wanted) ? null : refused(`must be ${sign} ${wanted}`);
}

/** Number of characters charged as one step. */
const CHARACTERS_OF_STEP = 16;

/** Charges for a format's regular expression: 8 steps to start, and one step per 2 characters. */
const FORMAT_STEPS = 8;
const CHARACTERS_OF_FORMAT_STEP = 2;

function stepsOf(text: string, charactersOfStep = CHARACTERS_OF_STEP): number {
  return Math.ceil(text.length / charactersOfStep);
}

function characters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/**
 * Maximum characters of a text for format checks, since a format's expression may take more than linear time; longer
 * texts are left to the server.
 */
const MAX_FORMATTED_CHARACTERS = 1_024;

/**
 * Formats left to the server: `regex` allows other dialects, and the expression for the non-standard `url` takes
 * quadratic time.
 */
const LEFT_TO_SERVER: readonly string[] = ['regex', 'url'];

type Test = (value: string | number) => boolean;

const FORMATS: ReadonlyMap<string, { readonly type: 'string' | 'number'; readonly test: Test }> = new Map(
  Object.entries(fullFormats).flatMap(([name, format]) => {
    if (LEFT_TO_SERVER.includes(name)) return [];
    const { type, validate } = asObject(format);
    if (validate instanceof RegExp) return [[name, { type, test: (value) => validate.test(String(value)) }]];
    return typeof validate === 'function' ? [[name, { type, test: validate }]] : [];
  }) satisfies [string, { type: 'string' | 'number'; test: Test }][],
);

function asObject(format: unknown): { type: 'string' | 'number'; validate: RegExp | Test | null } {
  if (typeof format === 'function' || format instanceof RegExp)
    return { type: 'string', validate: format as RegExp | Test };
  if (!isJsonObject(format)) return { type: 'string', validate: null };
  const { type, validate } = format as JsonObject & { validate?: RegExp | Test };
  return { type: type === 'number' ? 'number' : 'string', validate: validate ?? null };
}

function isOfFormat(value: JsonValue, name: string): boolean {
  const format = FORMATS.get(name);
  if (format === undefined || typeof value !== format.type) return true;
  if (typeof value === 'string' && value.length > MAX_FORMATTED_CHARACTERS) return true;
  if (format.test instanceof Function) return format.test(value as string | number);
  return true;
}
