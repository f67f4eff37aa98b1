import { createServer } from 'node:net';

/**
 * Whether nothing listens on this port of this address.
 * @param {number} port 1..65535
 * @param {string} host
 * @returns {Promise<boolean>}
 */
export function isPortFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen({ port, host, exclusive: true }, () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

/**
 * The preferred port, or the next free one after it that is not in `taken` (ports promised to somebody who does not
 * listen yet).
 * @param {number} preferred
 * @param {{host?: string, taken?: ReadonlySet<number>}} [options]
 * @returns {Promise<number>}
 * @throws {Error} when none of the next 200 ports is free
 */
export async function nextFreePort(preferred, { host = '127.0.0.1', taken = new Set() } = {}) {
  const last = Math.min(preferred + 200, 65_535);
  for (let port = preferred; port <= last; port += 1) {
    if (!taken.has(port) && (await isPortFree(port, host))) return port;
  }
  throw new Error(`No free port between ${preferred} and ${last} on ${host}.`);
}

/**
 * A port that the operating system says is free at this moment.
 * @param {string} host
 * @returns {Promise<number>}
 */
export function anyFreePort(host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host }, () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error(`No free port on ${host}.`));
      });
    });
  });
}
