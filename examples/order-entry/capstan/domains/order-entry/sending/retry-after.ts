/**
 * Milliseconds that a `Retry-After` asks for: seconds, or an HTTP date; null for anything else.
 * @param now Unix time in ms
 */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (/^\s*\d{1,9}\s*$/.test(text ?? '')) return Number(text) * 1_000;
  // A date has letters, since `Date.parse` would accept a negative number.
  if (!/^\s*[A-Za-z]{3,9},? /.test(text ?? '')) return null;
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
