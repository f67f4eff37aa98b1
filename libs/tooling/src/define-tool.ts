import type { z } from 'zod';
import { readByZod } from './input-reader.js';
import type { ToolDefinition } from './tool-definition.js';
import { toInputSchema } from './to-input-schema.js';

/** A tool with a zod input schema, from which its JSON Schema and its input reader are derived. */
export interface ZodTool<Input> extends Omit<ToolDefinition<Input>, 'inputSchema' | 'readInput'> {
  /** Fields may be optional; with all of them required, and the optional ones nullable, it is strict (S2-10). */
  readonly input: z.ZodType<Input>;
}

/**
 * Derives `inputSchema` and `readInput` from the zod schema. Erases the input type, so that all tools fit one
 * catalogue. Throws an `AppError` if the schema cannot be expressed as JSON Schema.
 */
export function defineTool<Input>({ input, ...tool }: ZodTool<Input>): ToolDefinition {
  const defined: ToolDefinition<Input> = {
    ...tool,
    inputSchema: toInputSchema(input, tool.name),
    readInput: (given) => readByZod(input, given),
  };
  return defined as unknown as ToolDefinition;
}
