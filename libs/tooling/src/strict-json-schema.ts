import { z } from 'zod';
import { AppError, type JsonObject } from '#libs/kernel';

/** The JSON Schema of a tool's input in the strict form of structured outputs: an object, all fields required, none extra. */
export function toStrictJsonSchema(schema: z.ZodType, toolName: string): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  assertStrict(json, toolName, '#');
  return closeObjects(json) as JsonObject;
}

function closeObjects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeObjects);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closeObjects(value)]));
  return copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy;
}

function assertStrict(node: unknown, toolName: string, path: string): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node))
    return node.forEach((item, index) => assertStrict(item, toolName, `${path}/${index}`));
  const { type, properties, required } = node as {
    type?: unknown;
    properties?: object;
    required?: readonly string[];
  };
  if (type === 'object') {
    const missing = Object.keys(properties ?? {}).filter((key) => !(required ?? []).includes(key));
    if (properties === undefined || missing.length > 0) throw notStrict(toolName, path, missing);
  }
  for (const [key, value] of Object.entries(node)) assertStrict(value, toolName, `${path}/${key}`);
}

function notStrict(toolName: string, path: string, missing: readonly string[]): AppError {
  return new AppError({
    code: 'TOOL_SCHEMA_NOT_STRICT',
    kind: 'internal',
    message: `the input schema of the tool "${toolName}" is not strict at ${path}: make optional fields nullable`,
    details: { missing },
  });
}
