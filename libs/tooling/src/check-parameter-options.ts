import type { JsonObject, JsonValue } from '#libs/kernel';
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
