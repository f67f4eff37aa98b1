/** A provider's request id, or `null` when it is anything else. */
export function harmlessId(value: unknown): string | null {
  return match(value, /^[A-Za-z0-9_.:-]{1,128}$/);
}

/** A path into the request, such as `tools[0].name`, or `null` when it is anything else. */
export function harmlessPath(value: unknown): string | null {
  return match(value, /^[A-Za-z][A-Za-z0-9_.[\]]{0,99}$/);
}

function match(value: unknown, pattern: RegExp): string | null {
  return typeof value === 'string' && pattern.test(value) ? value : null;
}
