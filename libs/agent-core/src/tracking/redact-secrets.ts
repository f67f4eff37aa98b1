import { isJsonObject, type JsonValue } from '#libs/kernel';
import { REDACTED, SECRET_NAMES } from './secret-names.js';

const SECRET_KEY = new RegExp(SECRET_NAMES, 'i');

/** The value without what stands under keys that sound like a secret (3.E-10). It is as deep as what tools are given. */
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
