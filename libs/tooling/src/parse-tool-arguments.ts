import { asStorableJson, isJsonObject, MAX_JSON_DEPTH, type JsonObject } from '#libs/kernel';

export interface UnreadableArguments {
  readonly success: false;
  /** `json`: the text is not JSON. `shape`: it is JSON, but not an object. */
  readonly fault: 'json' | 'shape';
  readonly error: string;
}

export type ParsedArguments = { readonly success: true; readonly data: JsonObject } | UnreadableArguments;

/** Maximum characters; longer arguments are refused before parsing. */
export const MAX_ARGUMENT_CHARACTERS = 262_144;

/**
 * Parses a call's arguments (S0-31 … S0-33, S1-68): `""` means `{}`, anything else must be a JSON object. Fails closed.
 * The result is storable: without NUL, lone surrogates and `__proto__` keys.
 */
export function parseToolArguments(text: unknown): ParsedArguments {
  if (typeof text !== 'string') return failure('json', 'tool arguments must be a JSON object string');
  if (text === '') return { success: true, data: {} };
  if (text.length > MAX_ARGUMENT_CHARACTERS) {
    return failure('json', `tool arguments must have at most ${MAX_ARGUMENT_CHARACTERS} characters`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure('json', 'tool arguments must be valid JSON object');
  }
  return readArguments(value);
}

/** The same for an already parsed value. */
export function readArguments(value: unknown): ParsedArguments {
  if (!isJsonObject(value)) return failure('shape', 'tool arguments must be a JSON object');
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    return failure('shape', `tool arguments must be nested at most ${MAX_JSON_DEPTH} levels deep`);
  }
  const storable = asStorableJson(value);
  return isJsonObject(storable)
    ? { success: true, data: storable }
    : failure('shape', 'tool arguments must be a JSON object');
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

function failure(fault: UnreadableArguments['fault'], error: string): UnreadableArguments {
  return { success: false, fault, error };
}
