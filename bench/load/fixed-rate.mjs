// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal } from './http-client.mjs';

/**
 * Starts requests at fixed times, whether or not earlier ones have ended, so that a stalled server cannot slow the load.
 * Refused requests of an overloaded machine are counted, the others measured.
 * @param {object} load
 * @param {number} load.perSecond
 * @param {number} load.count
 * @param {(index: number) => Promise<unknown>} load.request
 * @returns {Promise<{times: number[], refused: number}>} how long each took that was not refused, in milliseconds
 */
export async function fixedRate({ perSecond, count, request }) {
  const gap = 1_000 / perSecond;
  const begun = performance.now();
  /** @type {Promise<number | null>[]} */
  const answers = [];
  for (let index = 0; index < count; index += 1) {
    const early = begun + index * gap - performance.now();
    if (early > 0) await delay(early);
    const sentAt = performance.now();
    answers.push(request(index).then(() => performance.now() - sentAt, nullIfRefused));
  }
  const times = (await Promise.all(answers)).filter((took) => took !== null);
  return { times, refused: count - times.length };
}

/** @param {unknown} error @returns {null} */
function nullIfRefused(error) {
  if (isRefusal(error)) return null;
  throw error;
}
