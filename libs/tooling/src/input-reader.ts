import type { JsonObject } from '#libs/kernel';
import type { z } from 'zod';

/** What came of checking the arguments of a call; `reasons` are written for the model, each names its field. */
export type InputReading<Input = unknown> =
  | { readonly success: true; readonly data: Input }
  | { readonly success: false; readonly reasons: readonly string[] };

/** Pure and synchronous: after a crash it is asked again, and answers the same. `data` has to be JSON. */
export type InputReader<Input = unknown> = (input: JsonObject) => InputReading<Input>;

/** Makes the reader of a JSON Schema. Throws an `AppError` where the schema is none. */
export type CompileReader = (inputSchema: JsonObject) => InputReader;

/** Checks by a zod schema, whatever the value. */
export function readByZod<Input>(schema: z.ZodType<Input>, value: unknown): InputReading<Input> {
  const read = schema.safeParse(value);
  if (read.success) return { success: true, data: read.data };
  const reasons = read.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  return { success: false, reasons };
}
