// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until the condition holds.
 * @param {() => Promise<boolean>} isTrue
 * @param {object} options
 * @param {string} options.what for the error
 * @param {AbortSignal} options.signal
 * @param {number} [options.everyMs]
 * @param {number} [options.limitMs]
 */
export async function waitUntil(isTrue, { what, signal, everyMs = 20, limitMs = 120_000 }) {
  const limit = performance.now() + limitMs;
  while (!(await isTrue())) {
    signal.throwIfAborted();
    if (performance.now() > limit) throw new Error(`not within ${limitMs / 1_000} s: ${what}`);
    await delay(everyMs);
  }
}
