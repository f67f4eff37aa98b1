import { visibleText } from './visible-text.js';

const MAX_CHARACTERS = 300;
const known = new WeakMap<object, string>();

/** Begin of a value as JSON, in one line; computed once for each object, since a value may have megabytes. */
export function briefJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return briefOf(value);
  const text = known.get(value) ?? briefOf(value);
  known.set(value, text);
  return text;
}

function briefOf(value: unknown): string {
  return visibleText(JSON.stringify(value ?? null).slice(0, MAX_CHARACTERS));
}
