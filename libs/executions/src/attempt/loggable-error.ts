import type { ToolDefinition } from '#libs/tooling';

/**
 * Fields of a tool error that may be logged. Errors of foreign tools may carry third-party text in message, fields and
 * causes; only name, code and status are kept.
 */
export function loggable(error: unknown, { isForeign }: Pick<ToolDefinition, 'isForeign'>): object {
  if (isForeign !== true) return { err: error };
  const fields: { name?: unknown; code?: unknown; status?: unknown } =
    error instanceof Error ? error : { name: typeof error };
  const [name, code, status] = [fields.name, fields.code, fields.status].map(shortWord);
  return { why: { name, ...(code !== null && { code }), ...(status !== null && { status }) } };
}

function shortWord(value: unknown): string | number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : null;
}
