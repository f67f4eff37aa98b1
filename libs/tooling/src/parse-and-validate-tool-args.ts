import type { z } from 'zod';
import { cutText } from './cut-text.js';

export type ValidatedArguments<T> =
  { readonly success: true; readonly data: T } | { readonly success: false; readonly error: string };

/** Reasons quote what the model wrote, which may be long. */
const MOST_REASON_BYTES = 2_000;

/** Parses arguments that come as JSON text, then checks them against the tool's schema (S2-34 … S2-36). */
export function parseAndValidateToolArgs<T>(
  args: unknown,
  schema: z.ZodType<T>,
  label: string,
): ValidatedArguments<T> {
  const parsed = typeof args === 'string' ? parseJson(args) : { success: true as const, data: args };
  if (!parsed.success) return { success: false, error: `Invalid JSON for ${label}: the text is not JSON` };
  const validated = schema.safeParse(parsed.data);
  if (validated.success) return { success: true, data: validated.data };
  return { success: false, error: `Invalid parameters for ${label}: ${describeIssues(validated.error)}` };
}

function parseJson(text: string): { success: true; data: unknown } | { success: false } {
  try {
    return { success: true, data: JSON.parse(text) as unknown };
  } catch {
    return { success: false };
  }
}

function describeIssues(error: z.ZodError): string {
  const reasons = error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  return cutText(reasons.slice(0, 10).join('; '), MOST_REASON_BYTES);
}
