import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { TooManySteps, type ValidationSteps } from './validation-steps.js';

const CHARACTERS_OF_STEP = 16;
/** Maximum characters of JSON, for one merged schema and for all of an object together. */
const MAX_CHARACTERS = 32_768;

type Keyword = 'allOf' | 'anyOf';

/**
 * Merges fields of several schemas into one object. A few references may expand to any number of schemas: throws
 * `TooManySteps` if merging takes too many steps or the result has too many characters.
 */
export class MergedSchemas {
  private readonly texts = new Map<JsonObject, string>();

  /** @param steps charges one step per copied field, and per 16 characters of a compared schema */
  constructor(private readonly steps: ValidationSteps) {}

  /** Merges two sets of fields; a field in both gets `keyword` over its two schemas. */
  union(one: JsonObject, other: JsonObject, keyword: Keyword): JsonObject {
    const names = Object.keys(other);
    this.steps.take(Object.keys(one).length + names.length);
    const merged: Record<string, JsonValue> = { ...one };
    for (const name of names) {
      const schema = other[name] ?? true;
      const own = Object.hasOwn(merged, name) ? (merged[name] ?? true) : undefined;
      merged[name] = own === undefined || own === schema ? schema : this.joined(own, schema, keyword);
    }
    return merged;
  }

  /** Throws if the merged schemas among these fields are too long. */
  assertWritable(properties: JsonObject): void {
    const merged = Object.values(properties).map((schema) => this.texts.get(schema as JsonObject) ?? '');
    if (merged.reduce((sum, text) => sum + text.length, 0) > MAX_CHARACTERS) throw new TooManySteps();
  }

  private joined(own: JsonValue, schema: JsonValue, keyword: Keyword): JsonValue {
    const schemas = new Map<string, JsonValue>();
    for (const each of [...listed(own, keyword), ...listed(schema, keyword)]) {
      const text = this.textOf(each);
      if (!schemas.has(text)) schemas.set(text, each);
    }
    if (schemas.size === 1) return own;
    const together = { [keyword]: [...schemas.values()] };
    const text = `{"${keyword}":[${[...schemas.keys()].join(',')}]}`;
    if (text.length > MAX_CHARACTERS) throw new TooManySteps();
    this.texts.set(together, text);
    return together;
  }

  private textOf(schema: JsonValue): string {
    const text = this.texts.get(schema as JsonObject) ?? canonicalJson(schema);
    if (isJsonObject(schema)) this.texts.set(schema, text);
    this.steps.take(Math.ceil(text.length / CHARACTERS_OF_STEP));
    return text;
  }
}

/** The members of a schema that consists of this keyword only. */
function listed(schema: JsonValue, keyword: Keyword): readonly JsonValue[] {
  const parts = isJsonObject(schema) && Object.keys(schema).length === 1 ? schema[keyword] : undefined;
  return Array.isArray(parts) ? (parts as readonly JsonValue[]) : [schema];
}
