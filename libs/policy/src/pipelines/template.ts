import { isJsonObject, type JsonValue } from '#libs/kernel';
import { JSON_POINTER, resolvePointer } from './json-pointer.js';

/** A place in a template: two braces, and between them where its value comes from. */
const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const WHOLE_PLACE = /^\{\{\s*([^{}]*?)\s*\}\}$/;

/** The pointers of all places of a template, a text or JSON with texts; null where one of them is no pointer. */
export function pointersOf(template: JsonValue): readonly string[] | null {
  if (typeof template === 'string') return pointersOfText(template);
  const parts = isJsonObject(template) ? Object.values(template) : listOf(template);
  const pointers = parts.map(pointersOf);
  return pointers.includes(null) ? null : pointers.flatMap((inside) => inside ?? []);
}

function pointersOfText(text: string): readonly string[] | null {
  const pointers = [...text.matchAll(PLACE)].map(([, pointer = '']) => pointer);
  const isPlain = !text.replaceAll(PLACE, '').includes('{{');
  return isPlain && pointers.every((pointer) => JSON_POINTER.test(pointer)) ? pointers : null;
}

/** How a value stands in a text: as it is, others as JSON; nothing where there is none. */
export function asText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * A text with the values of its places.
 *
 * @param show how a value is written that came from this pointer
 */
export function fillText(
  template: string,
  data: JsonValue,
  show: (value: JsonValue | undefined, pointer: string) => string = asText,
): string {
  return template.replaceAll(PLACE, (_place, pointer: string) =>
    show(resolvePointer(data, pointer), pointer),
  );
}

/** JSON with the values of its places. A text that is one place and nothing else becomes the value itself, or null. */
export function fillJson(template: JsonValue, data: JsonValue): JsonValue {
  if (typeof template === 'string') {
    const pointer = WHOLE_PLACE.exec(template)?.[1];
    return pointer === undefined ? fillText(template, data) : (resolvePointer(data, pointer) ?? null);
  }
  if (Array.isArray(template)) return listOf(template).map((item) => fillJson(item, data));
  if (!isJsonObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillJson(value, data)]));
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as JsonValue[]) : [];
}
