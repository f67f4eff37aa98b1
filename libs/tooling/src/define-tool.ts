import type { z } from 'zod';
import { readByZod } from './input-reader.js';
import type { ToolDefinition } from './tool-definition.js';
import { toInputSchema } from './to-input-schema.js';

/** A tool whose input is written in zod: its JSON Schema and its reader follow from it. */
export interface ZodTool<Input> extends Omit<ToolDefinition<Input>, 'inputSchema' | 'readInput'> {
  /** Fields may be optional; with all of them required, and the optional ones nullable, it is strict (S2-10). */
  readonly input: z.ZodType<Input>;
}

/**
 * Derives what a catalogue needs from a zod schema. Keeps the input's type while a tool is written, and forgets it so that
 * tools of all kinds fit one catalogue. Throws an `AppError` where the schema has no JSON Schema.
 */
export function defineTool<Input>({ input, ...tool }: ZodTool<Input>): ToolDefinition {
  const defined: ToolDefinition<Input> = {
    ...tool,
    inputSchema: toInputSchema(input, tool.name),
    readInput: (given) => readByZod(input, given),
  };
  return defined as unknown as ToolDefinition;
}
