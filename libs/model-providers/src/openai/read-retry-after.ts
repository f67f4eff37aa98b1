/** Reads the two headers by which a provider asks for patience; milliseconds, or `null` when it said nothing usable. */
export function readRetryAfter(headers: Headers | undefined, now: number): number | null {
  return (
    readNumber(headers?.get('retry-after-ms'), 1) ??
    readNumber(headers?.get('retry-after'), 1_000) ??
    readDate(headers?.get('retry-after'), now)
  );
}

function readNumber(text: string | null | undefined, factor: number): number | null {
  if (!/^\s*\d+(\.\d+)?\s*$/.test(text ?? '')) return null;
  const value = Math.ceil(Number(text) * factor);
  return Number.isSafeInteger(value) ? value : null;
}

/** An HTTP date (RFC 9110): its letters tell it from a negative or broken number, which `Date.parse` would accept. */
function readDate(text: string | null | undefined, now: number): number | null {
  if (!/^\s*[A-Za-z]{3,9},? /.test(text ?? '')) return null;
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
