// @ts-check
import { checkedRun } from '../load/checked-run.mjs';
import { closedLoop } from '../load/closed-loop.mjs';
import { cpuTime, cpuTimeOfFamily } from './cpu-time.mjs';
import { watchMemory } from './peak-memory.mjs';
import { percentile } from './percentile.mjs';

export const CLIENTS = 100;
/** Warm-up for each way: a run takes a fifth more CPU until V8 has compiled the code of a thousand runs. */
const WARM_UP = { count: 750, clients: CLIENTS };
const ALONE = { count: 60, clients: 1 };

/**
 * Runs the agent job. Each run has a new key; both ways return the text of the run.
 * @typedef {object} Runner
 * @property {() => number[]} pids its own processes; PostgreSQL and Redis are shared and counted by themselves
 * @property {(key: string) => Promise<unknown>} once one request that is answered when the run has ended
 * @property {(key: string) => Promise<unknown>} twice one request that submits, and one that waits for the result
 */

/** @typedef {'once' | 'twice'} Way how a client waits: with one request, or with one that submits and one that waits */
/** @typedef {{system: number, postgres: number, redis: number, model: number, load: number}} CpuMs per run */

/**
 * Measurement of one way in one round.
 * @typedef {object} WayMeasured
 * @property {number} rate runs per second of all clients together
 * @property {number} p50 milliseconds, of all clients together
 * @property {number} p99
 * @property {number} aloneP50 milliseconds, of one client
 * @property {CpuMs} cpu
 * @property {number} loadShare of one core that the load generator used, 0..1
 */
/** @typedef {{once: WayMeasured, twice: WayMeasured, memory: number}} Measured memory: bytes, the most while loaded */

/**
 * Processes with CPU time counted beside that of the system.
 * @typedef {{postgresPid: number, redisPid: number | null, modelPid: number}} Helpers
 */

/**
 * @param {Runner} system
 * @param {Helpers} helpers
 * @param {number} runs of all clients together
 * @returns {Promise<Measured>}
 */
export async function measureRuns(system, helpers, runs) {
  const together = { count: runs, clients: CLIENTS };
  const run = prepareRuns(system);
  for (const way of /** @type {const} */ (['twice', 'once'])) await run(way, WARM_UP);
  const alone = { twice: await run('twice', ALONE), once: await run('once', ALONE) };
  const { bytes, result } = await watchMemory(system.pids, async () => ({
    twice: await measureTogether(() => run('twice', together), { runs, system, helpers }),
    once: await measureTogether(() => run('once', together), { runs, system, helpers }),
  }));
  return {
    once: { ...result.once, aloneP50: percentile(alone.once, 50) },
    twice: { ...result.twice, aloneP50: percentile(alone.twice, 50) },
    memory: bytes,
  };
}

/** @param {Runner} system */
function prepareRuns(system) {
  const requests = { once: checkedRun(system.once, 'once'), twice: checkedRun(system.twice, 'twice') };
  return (/** @type {Way} */ way, /** @type {{count: number, clients: number}} */ load) =>
    closedLoop({ ...load, request: requests[way] });
}

/**
 * @param {() => Promise<number[]>} load
 * @param {{runs: number, system: Runner, helpers: Helpers}} measured
 * @returns {Promise<Omit<WayMeasured, 'aloneP50'>>}
 */
async function measureTogether(load, { runs, system, helpers }) {
  const before = readCpu(system, helpers);
  const begun = performance.now();
  const times = await load();
  const tookMs = performance.now() - begun;
  const after = readCpu(system, helpers);
  const used = (/** @type {keyof CpuMs} */ who) => (after[who] - before[who]) / runs;
  return {
    rate: (runs / tookMs) * 1_000,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    cpu: {
      system: used('system'),
      postgres: used('postgres'),
      redis: used('redis'),
      model: used('model'),
      load: used('load'),
    },
    loadShare: (after.load - before.load) / tookMs,
  };
}

/**
 * @param {Runner} system
 * @param {Helpers} helpers
 * @returns {CpuMs}
 */
function readCpu(system, { postgresPid, redisPid, modelPid }) {
  return {
    system: cpuTime(system.pids()),
    postgres: cpuTimeOfFamily(postgresPid),
    redis: redisPid === null ? 0 : cpuTime([redisPid]),
    model: cpuTime([modelPid]),
    load: cpuTime([process.pid]),
  };
}
