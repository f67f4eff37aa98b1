import { isJsonObject, type JsonValue } from '#libs/kernel';
import { JSON_POINTER, resolvePointer } from './json-pointer.js';

/** A placeholder: a JSON pointer in double braces. */
const PLACE = /\{\{([^{}]*)\}\}/g;
const WHOLE_PLACE = /^\{\{([^{}]*)\}\}$/;
/** Maximum characters of a filled template. */
export const MAX_FILLED_CHARS = 1_000_000;

/** The pointers of all placeholders in a text or in JSON; null if one of them is no pointer. */
export function pointersOf(template: JsonValue): readonly string[] | null {
  if (typeof template === 'string') return pointersOfText(template);
  const parts = isJsonObject(template) ? Object.values(template) : listOf(template);
  const pointers = parts.map(pointersOf);
  return pointers.includes(null) ? null : pointers.flatMap((inside) => inside ?? []);
}

function pointersOfText(text: string): readonly string[] | null {
  const pointers = [...text.matchAll(PLACE)].map(([, pointer = '']) => pointer.trim());
  const isPlain = !text.replaceAll(PLACE, '').includes('{{');
  return isPlain && pointers.every((pointer) => JSON_POINTER.test(pointer)) ? pointers : null;
}

/** Formats a value in a text: strings unchanged, other values as JSON, null and undefined as ''. */
export function asText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Fills a text. Undefined if the result exceeds `most` characters, since a few hundred placeholders may repeat one
 * large output.
 *
 * @param show formats the value at a pointer
 */
export function fillText(
  template: string,
  data: JsonValue,
  show: (value: JsonValue | undefined, pointer: string) => string = asText,
  most = MAX_FILLED_CHARS,
): string | undefined {
  let filled = '';
  let rest = 0;
  for (const { 0: place, 1: pointer = '', index } of template.matchAll(PLACE)) {
    filled += template.slice(rest, index) + show(resolvePointer(data, pointer.trim()), pointer.trim());
    rest = index + place.length;
    if (filled.length > most) return undefined;
  }
  return filled.length + template.length - rest > most ? undefined : filled + template.slice(rest);
}

/**
 * Fills JSON. A string that is a single placeholder becomes the value itself, or null. Undefined if the result as JSON
 * exceeds {@link MAX_FILLED_CHARS}.
 */
export function fillJson(template: JsonValue, data: JsonValue): JsonValue | undefined {
  let left = MAX_FILLED_CHARS;
  const taking = <Value extends JsonValue>(value: Value): Value => {
    left -= jsonLength(value, left);
    return value;
  };
  const fill = (part: JsonValue): JsonValue => {
    if (left < 0) return null;
    if (typeof part === 'string') {
      const pointer = WHOLE_PLACE.exec(part)?.[1]?.trim();
      if (pointer !== undefined) return taking(resolvePointer(data, pointer) ?? null);
      const text = fillText(part, data, asText, left);
      if (text !== undefined) return taking(text);
      left = -1;
      return null;
    }
    if (Array.isArray(part)) return listOf(part).map(fill);
    if (!isJsonObject(part)) return taking(part);
    return Object.fromEntries(
      Object.entries(part).map(([key, value]): [string, JsonValue] => [taking(key), fill(value)]),
    );
  };
  const filled = fill(template);
  return left < 0 ? undefined : filled;
}

/** Length of the value as JSON, without escapes; stops soon after `most`. */
function jsonLength(value: JsonValue, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let length = 2;
  for (const [key, inside] of Object.entries(value)) {
    length += (Array.isArray(value) ? 1 : key.length + 4) + jsonLength(inside, most - length);
    if (length > most) break;
  }
  return length;
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as JsonValue[]) : [];
}
