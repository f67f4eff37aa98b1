import { setTimeout as delay } from 'node:timers/promises';
import { describeExit } from './service-failure.mjs';

const LIMIT_MS = 60_000;

/**
 * Waits until a service answers 2xx.
 * @param {object} options
 * @param {string} options.url
 * @param {import('./service-process.mjs').ServiceProcess} options.service
 * @param {AbortSignal} options.signal
 * @throws {Error} with the service's last words when it ends, or with its last answer after a minute
 */
export async function waitUntilReady({ url, service, signal }) {
  const limit = Date.now() + LIMIT_MS;
  for (;;) {
    signal.throwIfAborted();
    if (service.hasExited()) throw new Error(describeExit(service, await service.exited));
    const answer = await ask(url);
    if (answer === 'ready') return;
    if (Date.now() > limit) {
      throw new Error(`${service.name} was not ready after ${LIMIT_MS / 1_000} s. ${url} says: ${answer}`);
    }
    await delay(50);
  }
}

/** @param {string} url @returns {Promise<string>} `ready`, or why not */
async function ask(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const body = await response.text();
    return response.ok ? 'ready' : `${response.status} ${body.slice(0, 300)}`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
