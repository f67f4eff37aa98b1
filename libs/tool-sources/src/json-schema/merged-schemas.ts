import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { TooManySteps, type ValidationSteps } from './validation-steps.js';

const CHARACTERS_OF_STEP = 16;
/** Characters as JSON: of one merged schema, and of those of an object together. */
const MAX_CHARACTERS = 32_768;

type Keyword = 'allOf' | 'anyOf';

/**
 * Fields of several schemas in one object. A few references can mean any number of schemas, and a merged one may hold
 * another one many times: throws `TooManySteps` where that takes too many steps, or too many characters to be written.
 */
export class MergedSchemas {
  private readonly texts = new Map<JsonObject, string>();

  /** @param steps one for each field that is copied, and for 16 characters of a schema that is compared */
  constructor(private readonly steps: ValidationSteps) {}

  /** Where both have a field, either of its schemas may hold, or both have to. */
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

  /** Throws where the merged schemas among these fields are too long. */
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

/** The schemas that one consists of, where it says nothing else. */
function listed(schema: JsonValue, keyword: Keyword): readonly JsonValue[] {
  const parts = isJsonObject(schema) && Object.keys(schema).length === 1 ? schema[keyword] : undefined;
  return Array.isArray(parts) ? (parts as readonly JsonValue[]) : [schema];
}
