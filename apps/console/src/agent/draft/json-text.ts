import type { JsonObject } from './agent-draft.js';

export type ReadJson =
  | { readonly kind: 'object'; readonly value: JsonObject }
  | { readonly kind: 'fault'; readonly message: string };

/** Reads a text that must be a JSON object; an empty one is the empty object. Pure. */
export function readJsonObject(text: string): ReadJson {
  if (text.trim() === '') return { kind: 'object', value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { kind: 'object', value: value as JsonObject };
    }
    return { kind: 'fault', message: 'It must be an object, in braces.' };
  } catch (error) {
    return { kind: 'fault', message: error instanceof Error ? error.message : 'It is not JSON.' };
  }
}

export const jsonTextOf = (value: unknown): string => JSON.stringify(value, null, 2);
