import type { z } from 'zod';
import { cutText } from './cut-text.js';
import { readByZod } from './input-reader.js';

export type ValidatedArguments<T> =
  { readonly success: true; readonly data: T } | { readonly success: false; readonly error: string };

/** Reasons quote model-written text, which may be long. */
const MAX_REASON_BYTES = 2_000;
const MAX_REASONS = 10;

/** Parses arguments that come as JSON text, then checks them against the tool's schema (S2-34 … S2-36). */
export function parseAndValidateToolArgs<T>(
  args: unknown,
  schema: z.ZodType<T>,
  label: string,
): ValidatedArguments<T> {
  const parsed = typeof args === 'string' ? parseJson(args) : { success: true as const, data: args };
  if (!parsed.success) return { success: false, error: invalidJsonText(label, 'the text is not JSON') };
  const read = readByZod(schema, parsed.data);
  return read.success ? read : { success: false, error: invalidParametersText(label, read.reasons) };
}

/** Text that the model reads if its arguments are not JSON (S2-34). */
export function invalidJsonText(label: string, reason: string): string {
  return `Invalid JSON for ${label}: ${reason}`;
}

/** Text that the model reads if its arguments fail validation (S2-35). */
export function invalidParametersText(label: string, reasons: readonly string[]): string {
  const reason = cutText(reasons.slice(0, MAX_REASONS).join('; '), MAX_REASON_BYTES);
  return `Invalid parameters for ${label}: ${reason}`;
}

function parseJson(text: string): { success: true; data: unknown } | { success: false } {
  try {
    return { success: true, data: JSON.parse(text) as unknown };
  } catch {
    return { success: false };
  }
}
