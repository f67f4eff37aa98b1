import { MAX_JSON_DEPTH, toStorableJson, toStorableText, utf8Length, type JsonValue } from '#libs/kernel';
import { wholeCharacters } from './cut-text.js';

/** Placeholder for omitted values. */
const NOTE = '[cut]';
const NOTE_BYTES = utf8Length(JSON.stringify(NOTE));
/** Size of `,"[cut]"` in a list and of `,"[cut]":"[cut]"` in an object. */
const LIST_NOTE_BYTES = NOTE_BYTES + 1;
const OBJECT_NOTE_BYTES = 2 * NOTE_BYTES + 2;

/**
 * Converts any value to storable JSON of at most `maxBytes` bytes of UTF-8 (`maxBytes` ≥ 64). Values beyond the size or
 * depth limit, and binary data, are replaced by `"[cut]"`. The work is bounded by `maxBytes`, so cycles and values of
 * 100 MB do no harm.
 */
export function toBoundedJson(value: unknown, maxBytes: number): JsonValue {
  return new BoundedWriter(maxBytes).write(value, 0);
}

class BoundedWriter {
  constructor(private left: number) {}

  /** Precondition: a placeholder still fits into the bytes left. */
  write(value: unknown, depth: number): JsonValue {
    if (typeof value === 'string') return this.writeText(value);
    if (Array.isArray(value)) return this.writeList(value, depth);
    if (ArrayBuffer.isView(value)) return this.note();
    if (typeof value === 'object' && value !== null && !(value instanceof Date))
      return this.writeObject(value, depth);
    const leaf = toStorableJson(value);
    return this.take(utf8Length(JSON.stringify(leaf))) ? leaf : this.note();
  }

  private writeText(text: string): string {
    const storable = toStorableText(text.slice(0, this.left));
    const isWhole = text.length <= this.left;
    if (isWhole && this.take(utf8Length(JSON.stringify(storable)))) return storable;
    const beginning = fittingBeginning(storable, this.left - NOTE_BYTES);
    this.left = Math.max(0, this.left - utf8Length(JSON.stringify(beginning + NOTE)));
    return beginning + NOTE;
  }

  private writeList(items: readonly unknown[], depth: number): JsonValue {
    if (depth >= MAX_JSON_DEPTH || !this.take(2 + LIST_NOTE_BYTES)) return this.note();
    const written: JsonValue[] = [];
    for (const item of items) {
      if (!this.take(1, NOTE_BYTES)) return [...written, NOTE];
      written.push(this.write(item, depth + 1));
    }
    this.left += LIST_NOTE_BYTES;
    return written;
  }

  private writeObject(object: object, depth: number): JsonValue {
    if (depth >= MAX_JSON_DEPTH || !this.take(2 + OBJECT_NOTE_BYTES)) return this.note();
    const written: Record<string, JsonValue> = {};
    for (const key in object) {
      const item: unknown = Reflect.get(object, key);
      const name = toStorableText(key.slice(0, this.left));
      if (!Object.hasOwn(object, key) || !isKept(name, item)) continue;
      const isWhole = key.length <= this.left;
      if (!isWhole || !this.take(2 + utf8Length(JSON.stringify(name)), NOTE_BYTES))
        return { ...written, [NOTE]: NOTE };
      written[name] = this.write(item, depth + 1);
    }
    this.left += OBJECT_NOTE_BYTES;
    return written;
  }

  /** Reserves `bytes` if at least `reserve` bytes remain afterwards. */
  private take(bytes: number, reserve = 0): boolean {
    if (bytes + reserve > this.left) return false;
    this.left -= bytes;
    return true;
  }

  private note(): string {
    this.left = Math.max(0, this.left - NOTE_BYTES);
    return NOTE;
  }
}

/**
 * Longest beginning of `text` that takes at most `maxBytes` bytes as JSON, where an escaped character takes up to 6
 * bytes.
 */
function fittingBeginning(text: string, maxBytes: number): string {
  const candidate = wholeCharacters(text, maxBytes);
  let left = maxBytes;
  let end = 0;
  const take = (characters: string): boolean => {
    const bytes = bytesInJson(characters);
    if (bytes > left) return false;
    left -= bytes;
    end += characters.length;
    return true;
  };
  while (end < candidate.length && take(candidate.slice(end, end + STRIDE)));
  for (const character of candidate.slice(end, end + STRIDE)) if (!take(character)) break;
  return candidate.slice(0, end).replace(HALF_CHARACTER, '');
}

const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** Characters measured per step. */
const STRIDE = 1_024;

function bytesInJson(text: string): number {
  return utf8Length(JSON.stringify(text)) - 2;
}

/** Mirrors `JSON.stringify`, and drops `__proto__`, which could change a prototype. */
function isKept(key: string, item: unknown): boolean {
  return key !== '__proto__' && item !== undefined && typeof item !== 'function' && typeof item !== 'symbol';
}
