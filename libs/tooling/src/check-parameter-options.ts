import type { JsonObject, JsonValue } from '#libs/kernel';
import { optionErrorText } from './fixed-texts.js';

/** Which texts a parameter may be, by its name. */
export type ParameterOptions = Readonly<Record<string, readonly string[]>>;

export type CheckedOptions =
  { readonly success: true; readonly data: JsonObject } | { readonly success: false; readonly error: string };

/**
 * Holds the parameters that have options to them, exactly and case-sensitively (S0-36, S1-70). Numbers and booleans count
 * as their text, and the text is what goes on. A parameter that is absent or null was not given: whether it may be
 * is up to the schema.
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
