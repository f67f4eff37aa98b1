import { readNumber, readRetryAfter as readHeader } from '#libs/kernel';

/** Milliseconds to wait, from the headers `retry-after-ms` or `retry-after`; `null` if there is no usable value. */
export function readRetryAfter(headers: Headers | undefined, now: number): number | null {
  return readNumber(headers?.get('retry-after-ms'), 1) ?? readHeader(headers?.get('retry-after'), now);
}
