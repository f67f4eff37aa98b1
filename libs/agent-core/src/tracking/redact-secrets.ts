import { isJsonObject, type JsonValue } from '#libs/kernel';
import { REDACTED, SECRET_NAMES } from './secret-names.js';

const SECRET_KEY = new RegExp(SECRET_NAMES, 'i');

/**
 * Redacts values under keys that look like the name of a secret (3.E-10). The depth is bounded, since tool inputs are.
 */
export function redactSecrets(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(redactSecrets);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, redactEntry(key, item)] as const);
  return Object.fromEntries(entries);
}

function redactEntry(key: string, value: JsonValue): JsonValue {
  return SECRET_KEY.test(key) ? REDACTED : redactSecrets(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
