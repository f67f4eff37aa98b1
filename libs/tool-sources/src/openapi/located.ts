import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { DocumentFault } from './document-fault.js';

/** A value of a description, and where it stands there. */
export interface Located<Value extends JsonValue | undefined = JsonValue> {
  readonly value: Value;
  /** Name of the file; empty where the description is one text. */
  readonly file: string;
  /** JSON pointer within the file, `''` for the whole. */
  readonly pointer: string;
}

/** What stands under a key; `undefined` where there is nothing. What objects inherit is nothing. */
export function under(from: Located, key: string | number): Located<JsonValue | undefined> {
  const { value, file, pointer } = from;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  const found = isThere ? (value as Readonly<Record<string, JsonValue>>)[key] : undefined;
  return { value: found, file, pointer: `${pointer}/${escapeSegment(String(key))}` };
}

/** Throws a `DocumentFault` where it is no object. */
export function objectAt(at: Located<JsonValue | undefined>): Located<JsonObject> {
  const { value } = at;
  if (isJsonObject(value)) return { ...at, value };
  throw fault(at, value === undefined ? 'is missing: it must be an object' : 'must be an object');
}

/** Its items; none where it is missing. Throws a `DocumentFault` where it is no list. */
export function itemsOf(at: Located<JsonValue | undefined>): Located[] {
  const { value, file, pointer } = at;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw fault(at, 'must be a list');
  return (value as JsonValue[]).map((item, index) => ({ value: item, file, pointer: `${pointer}/${index}` }));
}

/** Its entries by name; none where it is missing. Throws a `DocumentFault` where it is no object. */
export function entriesOf(at: Located<JsonValue | undefined>): [string, Located][] {
  if (at.value === undefined) return [];
  const { value, file, pointer } = objectAt(at);
  return Object.entries(value).map(([key, item]) => [
    key,
    { value: item, file, pointer: `${pointer}/${escapeSegment(key)}` },
  ]);
}

/** A text that may be missing. Throws a `DocumentFault` where it is something else. */
export function textAt(at: Located<JsonValue | undefined>): string | undefined {
  const { value } = at;
  if (value === undefined || typeof value === 'string') return value;
  throw fault(at, 'must be a text');
}

/** True or false, or what it is by default. Throws a `DocumentFault` where it is something else. */
export function flagAt(at: Located<JsonValue | undefined>, byDefault: boolean): boolean {
  const { value } = at;
  if (value === undefined) return byDefault;
  if (typeof value === 'boolean') return value;
  throw fault(at, 'must be true or false');
}

/** One of some texts, or what it is by default. Throws a `DocumentFault` that names them. */
export function choiceAt<Choice extends string>(
  at: Located<JsonValue | undefined>,
  choices: readonly Choice[],
  byDefault?: Choice,
): Choice {
  const { value } = at;
  const found = value === undefined ? byDefault : choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw fault(at, `must be one of ${choices.join(', ')}`);
}

export function fault({ file, pointer }: Pick<Located, 'file' | 'pointer'>, reason: string): DocumentFault {
  return new DocumentFault(`${file}#${pointer}`, reason);
}

function escapeSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
