import type { JsonObject } from '#libs/kernel';
import type { z } from 'zod';

/** Result of validating a call's arguments. Each reason names its field and is written for the model. */
export type InputReading<Input = unknown> =
  | { readonly success: true; readonly data: Input }
  | { readonly success: false; readonly reasons: readonly string[] };

/**
 * Validates arguments and converts them to JSON data. Pure and synchronous: after a crash it runs again with the same
 * result.
 */
export type InputReader<Input = unknown> = (input: JsonObject) => InputReading<Input>;

/** Compiles a reader from a JSON Schema. Throws an `AppError` if the schema is invalid. */
export type CompileReader = (inputSchema: JsonObject) => InputReader;

/** Validates any value by a zod schema. */
export function readByZod<Input>(schema: z.ZodType<Input>, value: unknown): InputReading<Input> {
  const read = schema.safeParse(value);
  if (read.success) return { success: true, data: read.data };
  const reasons = read.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  return { success: false, reasons };
}
