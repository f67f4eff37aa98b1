export type JsonObject = Readonly<Record<string, unknown>>;

/** A text read as JSON: an object, other JSON, or none, with the reason that the browser gives. */
type ReadJson =
  | { readonly kind: 'object'; readonly value: JsonObject }
  | { readonly kind: 'other' }
  | { readonly kind: 'broken'; readonly reason: string };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a text that must be a JSON object; an empty one is the empty object. Pure. */
export function readJsonObject(text: string): ReadJson {
  if (text.trim() === '') return { kind: 'object', value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { kind: 'object', value } : { kind: 'other' };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : 'It is not JSON.' };
  }
}

/** The words for a text that is no JSON object; null for one. Pure. */
export function jsonFaultOf(read: ReadJson): string | null {
  if (read.kind === 'object') return null;
  return read.kind === 'other' ? 'It must be an object, in braces.' : read.reason;
}
