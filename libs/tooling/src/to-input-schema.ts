import { AppError, isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { z } from 'zod';

/**
 * Converts a zod schema to JSON Schema. Objects become closed, so that providers reject invented fields. Throws an
 * `AppError` if the schema cannot be expressed.
 */
export function toInputSchema(schema: z.ZodType, toolName: string): JsonObject {
  return closeObjects(describe(schema, toolName)) as JsonObject;
}

/** The same for an agent's answer, e.g. the `output_schema` of a step. */
export function toAnswerSchema(schema: z.ZodType): JsonObject {
  return toInputSchema(schema, 'answer');
}

function describe(schema: z.ZodType, toolName: string): JsonObject {
  try {
    const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
    return json as JsonObject;
  } catch (cause) {
    const message = `the input of the tool "${toolName}" cannot be written as JSON Schema`;
    throw new AppError({ code: 'TOOL_SCHEMA_INVALID', kind: 'internal', message, cause });
  }
}

function closeObjects(node: JsonValue): JsonValue {
  if (Array.isArray(node)) return node.map(closeObjects);
  if (!isJsonObject(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closeObjects(value)]));
  const isOpen = isJsonObject(copy['properties']) && copy['additionalProperties'] === undefined;
  return copy['type'] === 'object' && isOpen ? { ...copy, additionalProperties: false } : copy;
}
