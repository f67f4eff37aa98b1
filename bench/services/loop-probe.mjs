// @ts-check
import getPort from 'get-port';

const PROBE = new URL('../programs/loop-probe.mjs', import.meta.url).href;

/** @typedef {{mostCpuMs: number, mostDelayMs: number}} HeldUp the longest since the last reset, in milliseconds */

/**
 * Environment of a process with a probe for event loop delays, and functions to read it.
 * @returns {Promise<{env: Record<string, string>, reset: () => Promise<HeldUp>}>}
 */
export async function loopProbe() {
  const port = await getPort({ host: '127.0.0.1' });
  return {
    env: { NODE_OPTIONS: `--import=${PROBE}`, BENCH_PROBE_PORT: String(port) },
    reset: async () => /** @type {any} */ (await (await fetch(`http://127.0.0.1:${port}/reset`)).json()),
  };
}
