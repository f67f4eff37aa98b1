import { AppError, isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { z } from 'zod';

/**
 * The JSON Schema of what a zod schema accepts. Objects that say nothing of further fields have none: a model that makes
 * one up is said by its provider. Throws an `AppError` for what JSON Schema cannot say.
 */
export function toInputSchema(schema: z.ZodType, toolName: string): JsonObject {
  return closeObjects(describe(schema, toolName)) as JsonObject;
}

/** The same for what an agent has to answer, e.g. as `output_schema` of a step. */
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
