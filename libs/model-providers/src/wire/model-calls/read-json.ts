import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

const EMPTY: JsonObject = {};

/** The object in `field`, or an empty one: provider data is not trusted to have any shape. */
export function readObject(source: JsonObject, field: string): JsonObject {
  const value = source[field];
  return isJsonObject(value) ? value : EMPTY;
}

export function readText(source: JsonObject, field: string): string | undefined {
  const value: JsonValue | undefined = source[field];
  return typeof value === 'string' ? value : undefined;
}

/** The objects of the list in `field`; other members are skipped. */
export function readObjects(source: JsonObject, field: string): readonly JsonObject[] {
  const value = source[field];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
