import { isJsonObject, type JsonValue } from '#libs/kernel';
import type { Writing } from './operation.js';

/** An encoded name and value of a query, form or cookie. */
export type Pair = readonly [name: string, value: string];

type Encode = (text: string) => string;

/** Percent-encodes all but letters, digits and `-_.!~*'()`; lone surrogates become U+FFFD. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * Leaves RFC 3986 `reserved` characters, except `#`, `&`, `=`, `+` and `%`, which would change the query's structure.
 */
function encodeUnreserved(text: string): string {
  return encodeText(text).replaceAll(/%(3A|2F|3F|5B|5D|40|24|2C|3B)/g, (escape) =>
    decodeURIComponent(escape),
  );
}

/** Scalars as text, objects and lists as JSON. */
export function plainText(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Serializes a value of a path or header in the styles `simple`, `label` and `matrix` (RFC 6570). */
export function serializeText(name: string, value: JsonValue, writing: Writing, encode: Encode): string {
  const { style, explode } = writing;
  const parts = partsOf(value, encode);
  if (style === 'matrix') return matrix(encode(name), parts, explode);
  const begin = style === 'label' ? '.' : '';
  if (parts.kind === 'one') return begin + parts.text;
  const between = style === 'label' && explode ? '.' : ',';
  if (parts.kind === 'list') return begin + parts.texts.join(between);
  const pairs = parts.pairs.map(([key, text]) => (explode ? `${key}=${text}` : `${key},${text}`));
  return begin + pairs.join(between);
}

function matrix(name: string, parts: Parts, explode: boolean): string {
  if (parts.kind === 'one') return `;${name}=${parts.text}`;
  if (parts.kind === 'list')
    return explode
      ? parts.texts.map((text) => `;${name}=${text}`).join('')
      : `;${name}=${parts.texts.join(',')}`;
  if (explode) return parts.pairs.map(([key, text]) => `;${key}=${text}`).join('');
  return `;${name}=${parts.pairs.map(([key, text]) => `${key},${text}`).join(',')}`;
}

/**
 * Serializes a value of a query, form or cookie in the styles `form`, `spaceDelimited`, `pipeDelimited` and
 * `deepObject`.
 */
export function serializePairs(name: string, value: JsonValue, writing: Writing): readonly Pair[] {
  const encode = writing.allowReserved ? encodeUnreserved : encodeText;
  if (writing.style === 'deepObject' && typeof value === 'object' && value !== null)
    return deepPairs(encodeText(name), value, encode);
  const parts = partsOf(value, encode);
  const key = encodeText(name);
  if (parts.kind === 'one') return [[key, parts.text]];
  if (writing.explode) {
    if (parts.kind === 'list') return parts.texts.map((text) => [key, text] as const);
    return parts.pairs;
  }
  const between = DELIMITERS[writing.style] ?? ',';
  const texts = parts.kind === 'list' ? parts.texts : parts.pairs.flat();
  // An empty list is omitted like an absent parameter.
  return texts.length === 0 ? [] : [[key, texts.join(between)]];
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** `a[b][0]=c` to any depth: the standard defines one level, but services accept all. */
function deepPairs(name: string, value: JsonValue, encode: Encode): Pair[] {
  if (typeof value !== 'object' || value === null) return [[name, encode(plainText(value))]];
  return Object.entries(value).flatMap(([key, inner]) =>
    deepPairs(`${name}[${encodeText(key)}]`, inner, encode),
  );
}

type Parts =
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'fields'; readonly pairs: readonly Pair[] };

function partsOf(value: JsonValue, encode: Encode): Parts {
  const text = (part: JsonValue): string => encode(plainText(part));
  if (Array.isArray(value)) return { kind: 'list', texts: (value as JsonValue[]).map(text) };
  if (!isJsonObject(value)) return { kind: 'one', text: text(value) };
  return { kind: 'fields', pairs: Object.entries(value).map(([key, part]) => [encode(key), text(part)]) };
}
