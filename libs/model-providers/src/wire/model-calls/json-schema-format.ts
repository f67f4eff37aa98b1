import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { parseBoolLike, InvalidModelParameterError } from '#libs/payloads';

export interface JsonSchemaFormat {
  readonly type: 'json_schema';
  readonly name: string;
  readonly schema: JsonObject;
  readonly strict: boolean;
}

const FIELD = 'json_schema';
const DEFAULT_NAME = 'structured_output';

/**
 * `text.format` from the parameter `json_schema`: JSON text or the object itself, with `schema` and optionally `name` and
 * `strict` (S1-20, S1-39 … S1-41). Throws `InvalidModelParameterError`.
 */
export function toJsonSchemaFormat(value: JsonValue | undefined): JsonSchemaFormat {
  const definition = parseDefinition(value);
  const { name, schema, strict } = definition;
  if (!isJsonObject(schema)) {
    throw new InvalidModelParameterError(FIELD, "json_schema must include an object field named 'schema'");
  }
  return {
    type: 'json_schema',
    name: typeof name === 'string' && name.trim() !== '' ? name : DEFAULT_NAME,
    schema,
    strict: strict === undefined ? true : parseBoolLike(strict, 'json_schema.strict'),
  };
}

function parseDefinition(value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
    throw new InvalidModelParameterError(
      FIELD,
      'json_schema is required when response_format is json_schema',
    );
  }
  const parsed: unknown = typeof value === 'string' ? parseText(value) : value;
  if (isJsonObject(parsed)) return parsed;
  throw new InvalidModelParameterError(FIELD, 'json_schema must be a JSON object');
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidModelParameterError(FIELD, 'json_schema must be valid JSON');
  }
}
