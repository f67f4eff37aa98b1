// @ts-check
import { createServer, request as forward } from 'node:http';

const DELTA = '"response.output_text.delta"';

/**
 * A proxy between worker and simulator that records the times of texts.
 * @typedef {object} ModelProxy
 * @property {string} url for OPENAI_BASE_URL
 * @property {() => readonly number[]} textTimes when the texts of the newest call for one passed, by `performance.now()`
 */

/**
 * @param {import('./bench-world.mjs').BenchWorld} world
 * @param {() => Promise<void>} [beforeCall] is waited for before a call goes on to the model
 * @returns {Promise<ModelProxy>}
 */
export async function startModelProxy(world, beforeCall = async () => {}) {
  const target = new URL(world.modelUrl);
  /** @type {number[]} */
  let times = [];
  const server = createServer((incoming, outgoing) => {
    /** @type {number[]} */
    const own = [];
    const pass = () => {
      const options = { host: target.hostname, port: target.port, path: incoming.url };
      const onward = forward({ ...options, method: incoming.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (/** @type {Buffer} */ chunk) => {
          if (chunk.includes(DELTA)) {
            // The newest call from its first text on; other calls may have no text.
            if (own.length === 0) times = own;
            own.push(performance.now());
          }
          outgoing.write(chunk);
        });
        answer.on('end', () => outgoing.end());
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    };
    void beforeCall().then(pass, () => outgoing.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  world.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}${target.pathname}`, textTimes: () => times };
}
