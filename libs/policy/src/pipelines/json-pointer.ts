import { isJsonObject, type JsonValue } from '#libs/kernel';

/** A non-empty JSON pointer (RFC 6901): `/steps/extract/items/0`. */
export const JSON_POINTER = /^(\/(?:[^~/{}]|~[01])+)+$/;

/** The unescaped tokens of a pointer. */
export function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer; undefined if there is none. Inherited properties are never found. */
export function resolvePointer(value: JsonValue, pointer: string): JsonValue | undefined {
  return tokensOf(pointer).reduce<JsonValue | undefined>(stepInto, value);
}

function stepInto(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(value))
    return /^(0|[1-9]\d*)$/.test(token) ? (value as JsonValue[])[Number(token)] : undefined;
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, token) ? value[token] : undefined;
}
