import { anyFreePort } from '../../scripts/local/ports.mjs';

const PROBE = new URL('../programs/process-probe.mjs', import.meta.url).href;

/**
 * Bytes, milliseconds, open connections of any kind.
 * @typedef {{rss: number, heapUsed: number, external: number, cpuMs: number, sockets: number}} ProcessState
 */

/**
 * A worker that can be asked what it holds, after its garbage was collected.
 * @param {import('./bench-world.mjs').BenchWorld} world
 * @param {Record<string, string>} env
 * @returns {Promise<() => Promise<ProcessState>>}
 */
export async function startProbedWorker(world, env) {
  const port = await anyFreePort();
  await world.startWorker({ ...env, NODE_OPTIONS: `--import=${PROBE}`, BENCH_PROBE_PORT: String(port) });
  return async () => /** @type {ProcessState} */ (await (await fetch(`http://127.0.0.1:${port}/`)).json());
}
