import type { JsonValue } from './json-value.js';

type Pending = { readonly text: string } | { readonly value: JsonValue };

/**
 * Serializes equal values to the same text, regardless of key order: keys sorted by UTF-16 code units, no whitespace,
 * as in RFC 8785. Not recursive, so any depth and width works.
 */
export function canonicalJson(value: JsonValue): string {
  const written: string[] = [];
  const stack: Pending[] = [{ value }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ('text' in next) written.push(next.text);
    else if (isScalar(next.value)) written.push(JSON.stringify(next.value));
    else for (const part of unfold(next.value).reverse()) stack.push(part);
  }
  return written.join('');
}

type Scalar = string | number | boolean | null;
type Container = Exclude<JsonValue, Scalar>;

/** The brackets, keys, commas and members of a value in output order; scalars as text. */
function unfold(container: Container): Pending[] {
  const parts: Pending[] = [];
  const isOfList = isList(container);
  let text = isOfList ? '[' : '{';
  const add = (before: string, value: JsonValue): void => {
    text += before;
    if (isScalar(value)) text += JSON.stringify(value);
    else {
      parts.push({ text }, { value });
      text = '';
    }
  };
  if (isOfList) container.forEach((value, index) => add(comma(index), value));
  else {
    const entries = Object.entries(container).sort(([a], [b]) => (a < b ? -1 : 1));
    entries.forEach(([key, value], index) => add(`${comma(index)}${JSON.stringify(key)}:`, value));
  }
  parts.push({ text: text + (isOfList ? ']' : '}') });
  return parts;
}

function comma(index: number): string {
  return index === 0 ? '' : ',';
}

function isScalar(value: JsonValue): value is Scalar {
  return typeof value !== 'object' || value === null;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
