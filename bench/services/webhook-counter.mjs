// @ts-check
import { createServer } from 'node:http';

/**
 * A customer's endpoint that counts its deliveries.
 * @typedef {object} WebhookCounter
 * @property {string} url
 * @property {(count: number, signal: AbortSignal) => Promise<void>} reached resolves when so many different deliveries
 *   have come since the start
 * @property {() => number} count different deliveries so far
 */

/**
 * @param {import('./bench-world.mjs').BenchWorld} world
 * @returns {Promise<WebhookCounter>}
 */
export async function startWebhookCounter(world) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {Set<() => void>} */
  const waiting = new Set();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
      for (const look of waiting) look();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  world.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    count: () => seen.size,
    reached: (count, signal) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (seen.size < count) return;
          waiting.delete(look);
          resolve();
        };
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        waiting.add(look);
        look();
      }),
  };
}
