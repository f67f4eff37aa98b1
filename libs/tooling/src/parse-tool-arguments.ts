import { isJsonObject, type JsonObject } from '#libs/kernel';

export type ParsedArguments =
  | { readonly success: true; readonly data: JsonObject }
  | { readonly success: false; readonly error: string };

/** The contract of a call's arguments (S0-31 … S0-33): `""` is `{}`, else a JSON object as text. Fails closed. */
export function parseToolArguments(text: unknown): ParsedArguments {
  if (typeof text !== 'string') return failure('tool arguments must be a JSON object string');
  if (text === '') return { success: true, data: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure('tool arguments must be valid JSON object');
  }
  return isJsonObject(value) ? { success: true, data: value } : failure('tool arguments must be a JSON object');
}

function failure(error: string): ParsedArguments {
  return { success: false, error };
}
