// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Begins a request at fixed times, whether or not earlier ones have ended, so that a server that stalls cannot hide it
 * by holding up the load.
 * @param {object} load
 * @param {number} load.perSecond
 * @param {number} load.count
 * @param {(index: number) => Promise<unknown>} load.request
 * @returns {Promise<number[]>} how long each took, in milliseconds
 */
export async function fixedRate({ perSecond, count, request }) {
  const gap = 1_000 / perSecond;
  const begun = performance.now();
  /** @type {Promise<number>[]} */
  const answers = [];
  for (let index = 0; index < count; index += 1) {
    const early = begun + index * gap - performance.now();
    if (early > 0) await delay(early);
    const sentAt = performance.now();
    answers.push(request(index).then(() => performance.now() - sentAt));
  }
  return Promise.all(answers);
}
