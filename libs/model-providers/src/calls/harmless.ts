/** A provider's request id: one word or a UUID. `null` for anything else, because keys contain dashes (`sk-…`). */
export function harmlessId(value: unknown): string | null {
  return match(value, /^(\w{1,128}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i);
}

/** A path within the request, such as `tools[0].name`; `null` for anything else. */
export function harmlessPath(value: unknown): string | null {
  return match(value, /^[A-Za-z][A-Za-z0-9_.[\]]{0,99}$/);
}

function match(value: unknown, pattern: RegExp): string | null {
  return typeof value === 'string' && pattern.test(value) ? value : null;
}
