import { isJsonObject, type JsonValue } from '#libs/kernel';
import type { Writing } from './operation.js';

/** A name and a value as they stand in an address, a form or a cookie: already encoded. */
export type Pair = readonly [name: string, value: string];

type Encode = (text: string) => string;

/** Everything but letters, digits and `-_.!~*'()` becomes `%XX`; a lone surrogate, which has no bytes, becomes U+FFFD. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** RFC 3986 `reserved` stays, except what would end or divide a query: `#`, `&`, `=`, `+` and what is `%` by itself. */
function encodeUnreserved(text: string): string {
  return encodeText(text).replaceAll(/%(3A|2F|3F|5B|5D|40|24|2C|3B)/g, (escape) =>
    decodeURIComponent(escape),
  );
}

/** A value without parts as text; one with parts as JSON. */
export function plainText(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** One value of a path or a header by its style: `simple`, `label`, `matrix` (RFC 6570). */
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

/** The pairs of a query, a form or cookies by its style: `form`, `spaceDelimited`, `pipeDelimited`, `deepObject`. */
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
  // A list without items says as much as a parameter that is not there.
  return texts.length === 0 ? [] : [[key, texts.join(between)]];
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** `a[b][0]=c`, to any depth: the standard says one level only, services that use it read all. */
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
