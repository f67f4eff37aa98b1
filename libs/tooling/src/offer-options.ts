import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { ParameterOptions } from './check-parameter-options.js';

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
