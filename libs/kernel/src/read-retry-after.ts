/**
 * Reads a `Retry-After` header (RFC 9110): seconds or an HTTP date. Milliseconds, or null for anything else, a negative
 * or broken number included.
 *
 * @param now milliseconds since the epoch
 */
export function readRetryAfter(text: string | null | undefined, now: number): number | null {
  return readNumber(text, 1_000) ?? readDate(text, now);
}

/** A plain non-negative number times `factor`, rounded up; null for anything else. */
export function readNumber(text: string | null | undefined, factor: number): number | null {
  if (!/^\s*\d+(\.\d+)?\s*$/.test(text ?? '')) return null;
  const value = Math.ceil(Number(text) * factor);
  return Number.isSafeInteger(value) ? value : null;
}

/** Requires letters, since `Date.parse` would accept a negative or fractional number. */
function readDate(text: string | null | undefined, now: number): number | null {
  if (!/^\s*[A-Za-z]{3,9},? /.test(text ?? '')) return null;
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
