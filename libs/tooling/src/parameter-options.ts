import { type JsonObject, type JsonValue, isJsonObject } from '#libs/kernel';
import { optionErrorText } from './fixed-texts.js';

/** Allowed texts by parameter name. */
export type ParameterOptions = Readonly<Record<string, readonly string[]>>;

export type CheckedOptions =
  { readonly success: true; readonly data: JsonObject } | { readonly success: false; readonly error: string };

/**
 * Checks parameters against their options, exactly and case-sensitively (S0-36, S1-70). Numbers and booleans are
 * compared and passed on as text. Absent and null parameters are skipped: the schema decides if they are required.
 */
export function checkParameterOptions(input: JsonObject, options: ParameterOptions): CheckedOptions {
  const texts = new Map<string, JsonValue>();
  for (const [parameter, allowed] of Object.entries(options)) {
    const value = Object.hasOwn(input, parameter) ? input[parameter] : undefined;
    if (value === undefined || value === null) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (!allowed.includes(text)) {
      return {
        success: false,
        error: optionErrorText(parameter, JSON.stringify(value), JSON.stringify(allowed)),
      };
    }
    texts.set(parameter, text);
  }
  return { success: true, data: texts.size === 0 ? input : { ...input, ...Object.fromEntries(texts) } };
}

/**
 * Adds the allowed texts of parameters to their schemas as `enum`. Returns the name of the first parameter that the
 * schema does not allow as text, since its options could never match.
 */
export function offerOptions(
  schema: JsonObject,
  options: ParameterOptions,
):
  | { readonly kind: 'offered'; readonly schema: JsonObject }
  | { readonly kind: 'unmet'; readonly parameter: string } {
  let properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [parameter, allowed] of Object.entries(options)) {
    const limited = limitText(
      Object.hasOwn(properties, parameter) ? properties[parameter] : undefined,
      allowed,
    );
    if (limited === null) return { kind: 'unmet', parameter };
    properties = { ...properties, [parameter]: limited };
  }
  return { kind: 'offered', schema: { ...schema, properties } };
}

/** Restricts the schema of one parameter; null if it never allows text. */
function limitText(schema: JsonValue | undefined, allowed: readonly string[]): JsonObject | null {
  if (!isJsonObject(schema)) return null;
  const { type, anyOf } = schema;
  if (type === 'string') return { ...schema, enum: allowed };
  if (Array.isArray(type) && type.includes('string')) {
    return { ...schema, enum: type.includes('null') ? [...allowed, null] : allowed };
  }
  if (!Array.isArray(anyOf)) return null;
  const branches: readonly JsonValue[] = anyOf;
  const limited = branches.map((branch) => limitText(branch, allowed));
  if (limited.every((branch) => branch === null)) return null;
  return { ...schema, anyOf: branches.map((branch, index) => limited[index] ?? branch) };
}
