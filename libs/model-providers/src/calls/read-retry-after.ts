import { readNumber, readRetryAfter as readHeader } from '#libs/kernel';

/** Reads the two headers by which a provider asks for patience; milliseconds, or `null` when it said nothing usable. */
export function readRetryAfter(headers: Headers | undefined, now: number): number | null {
  return readNumber(headers?.get('retry-after-ms'), 1) ?? readHeader(headers?.get('retry-after'), now);
}
