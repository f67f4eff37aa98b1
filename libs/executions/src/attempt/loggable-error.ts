import type { ToolDefinition } from '#libs/tooling';

/**
 * What a log keeps of an error. That of a tool of somebody else may carry what that one wrote, in its text, its fields and
 * its causes: only what it is remains.
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
