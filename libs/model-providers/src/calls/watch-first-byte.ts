import type { ModelCallLimits } from '#libs/agent-core';
import { HttpAnswer } from './http-answer.js';

/** The parts of a streamed answer that are read. */
type Streamed = Pick<HttpAnswer, 'url' | 'status' | 'headers' | 'body'>;

/** The same answer; calls `onFirstByte` on the first byte of its body, even of a keep-alive comment. */
export function watchFirstByte(answer: Streamed, onFirstByte: () => void): HttpAnswer {
  const { url, status, headers, body } = answer;
  return new HttpAnswer(url, status, headers, body === null ? null : watched(body, onFirstByte));
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  onFirstByte: () => void,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of body) {
    if (isFirst) onFirstByte();
    isFirst = false;
    yield piece;
  }
}

/** Minimum in milliseconds; no server could answer faster. */
const MIN_MS = 1_000;

/**
 * Timeout in milliseconds for the first byte of a streamed answer: the configured one, at most the request's timeout.
 * While a retry is allowed, also at most half of the remaining time, so that one retry fits.
 */
export function firstByteLimit(
  configured: { readonly firstByteMs: number; readonly timeoutMs: number },
  limits: ModelCallLimits | undefined,
): number {
  const wanted = Math.min(configured.firstByteMs, configured.timeoutMs);
  if (limits === undefined || limits.isLastTry) return wanted;
  return Math.min(wanted, Math.max(MIN_MS, Math.floor(limits.remainingMs / 2)));
}
