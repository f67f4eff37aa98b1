// @ts-check
import getPort from 'get-port';

const PROBE = new URL('../programs/process-probe.mjs', import.meta.url).href;

/** @typedef {{rss: number, heapUsed: number, external: number, cpuMs: number}} ProcessState bytes, milliseconds */

/**
 * @typedef {object} Probe
 * @property {() => Promise<ProcessState>} look after the garbage was collected, which itself takes time
 * @property {() => Promise<number>} countSockets open connections of any kind
 */

/**
 * Starts a worker with a probe for memory and sockets.
 * @param {import('./bench-world.mjs').BenchWorld} world
 * @param {Record<string, string>} env
 * @returns {Promise<Probe>}
 */
export async function startProbedWorker(world, env) {
  const port = await getPort({ host: '127.0.0.1' });
  await world.startWorker({ ...env, NODE_OPTIONS: `--import=${PROBE}`, BENCH_PROBE_PORT: String(port) });
  /** @param {string} path @returns {Promise<any>} */
  const ask = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  return { look: () => ask('/'), countSockets: () => ask('/sockets') };
}
