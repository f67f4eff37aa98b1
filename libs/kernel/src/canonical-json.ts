import type { JsonValue } from './json-value.js';

type Pending = { readonly text: string } | { readonly value: JsonValue };

/**
 * JSON text that is the same for equal values whatever the order of their keys: keys by UTF-16 code units, no space, as
 * RFC 8785 has it. Works at any depth and width.
 */
export function canonicalJson(value: JsonValue): string {
  const written: string[] = [];
  const stack: Pending[] = [{ value }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ('text' in next) written.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) written.push(JSON.stringify(next.value));
    else for (const part of unfold(next.value).reverse()) stack.push(part);
  }
  return written.join('');
}

type Container = Exclude<JsonValue, string | number | boolean | null>;

/** The value's brackets, names, commas and members, in the order in which they are written. */
function unfold(container: Container): Pending[] {
  if (isList(container)) {
    const items = container.flatMap((value, index) => [{ text: comma(index) }, { value }]);
    return [{ text: '[' }, ...items, { text: ']' }];
  }
  const entries = Object.entries(container).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.flatMap(([key, value], index) => [
    { text: `${comma(index)}${JSON.stringify(key)}:` },
    { value },
  ]);
  return [{ text: '{' }, ...members, { text: '}' }];
}

function comma(index: number): string {
  return index === 0 ? '' : ',';
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
