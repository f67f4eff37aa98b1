import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { DocumentFault } from './document-fault.js';

/** A value of a description, with its place. */
export interface Located<Value extends JsonValue | undefined = JsonValue> {
  readonly value: Value;
  /** File name; empty if the description is a single text. */
  readonly file: string;
  /** JSON pointer within the file; `''` is the root. */
  readonly pointer: string;
}

/** The value under an own key; `undefined` if there is none. */
export function under(from: Located, key: string | number): Located<JsonValue | undefined> {
  const { value, file, pointer } = from;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  const found = isThere ? (value as Readonly<Record<string, JsonValue>>)[key] : undefined;
  return { value: found, file, pointer: `${pointer}/${escapeSegment(String(key))}` };
}

/** Throws a `DocumentFault` if the value is no object. */
export function objectAt(at: Located<JsonValue | undefined>): Located<JsonObject> {
  const { value } = at;
  if (isJsonObject(value)) return { ...at, value };
  throw fault(at, value === undefined ? 'is missing: it must be an object' : 'must be an object');
}

/** Items of a list; empty if the value is missing. Throws a `DocumentFault` if it is no list. */
export function itemsOf(at: Located<JsonValue | undefined>): Located[] {
  const { value, file, pointer } = at;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw fault(at, 'must be a list');
  return (value as JsonValue[]).map((item, index) => ({ value: item, file, pointer: `${pointer}/${index}` }));
}

/** Entries of an object; empty if the value is missing. Throws a `DocumentFault` if it is no object. */
export function entriesOf(at: Located<JsonValue | undefined>): [string, Located][] {
  if (at.value === undefined) return [];
  const { value, file, pointer } = objectAt(at);
  return Object.entries(value).map(([key, item]) => [
    key,
    { value: item, file, pointer: `${pointer}/${escapeSegment(key)}` },
  ]);
}

/** An optional text. Throws a `DocumentFault` for any other type. */
export function textAt(at: Located<JsonValue | undefined>): string | undefined {
  const { value } = at;
  if (value === undefined || typeof value === 'string') return value;
  throw fault(at, 'must be a text');
}

/** A boolean with a default. Throws a `DocumentFault` for any other type. */
export function flagAt(at: Located<JsonValue | undefined>, byDefault: boolean): boolean {
  const { value } = at;
  if (value === undefined) return byDefault;
  if (typeof value === 'boolean') return value;
  throw fault(at, 'must be true or false');
}

/** One of `choices`, with an optional default. Throws a `DocumentFault` that lists the choices. */
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
