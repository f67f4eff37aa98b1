// @ts-check
import { availableParallelism } from 'node:os';
import { checkedRun } from '../load/checked-run.mjs';
import { closedLoop } from '../load/closed-loop.mjs';
import { cpuTime, cpuTimeOfFamily } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';
import { CLIENTS } from '../measure/measure-runs.mjs';
import { openAgentJob } from '../services/agent-job.mjs';
import { startFakeModel, TOOL_MS } from '../services/start-fake-model.mjs';

/** Duration of a short model answer, in ms: workers wait, and leave the CPU to others. */
const MODEL_MS = 400;
const WORKERS = [1, 2, 4];
/** Slots of all workers together, fewer than clients, so that a client waits for each slot. */
const PLACES = 20;
const WARM_UP = 200;
const RUNS = 600;

export const slowModel = {
  key: 's',
  title: `model ${MODEL_MS} ms, tool ${TOOL_MS} ms, model ${MODEL_MS} ms, with 1, 2 and 4 workers of ${PLACES} places`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { url, pid: modelPid } = await startFakeModel(world, MODEL_MS);
    /** @type {{workers: number, rate: number, cores: number, cpuMs: number}[]} */
    const found = [];
    for (const workers of WORKERS) {
      const twin = await world.openTwin();
      const job = await openAgentJob(twin, { modelServer: url, workers, concurrency: PLACES });
      found.push({ workers, ...(await measure(world, job, modelPid)) });
      await twin.close();
    }
    const rateOf = (/** @type {number} */ count) =>
      found.find(({ workers }) => workers === count)?.rate ?? Number.NaN;
    return [
      ...found.flatMap(({ workers, rate, cores, cpuMs }) => [
        figure(`rate, workers: ${workers}`, rate, 'executions/s'),
        figure(`CPU per execution, workers: ${workers}`, cpuMs, 'ms'),
        figure(`cores in use of ${availableParallelism()}, workers: ${workers}`, cores),
      ]),
      figure('two workers / one', rateOf(2) / rateOf(1), '', { atLeast: 1.6 }),
      figure('four workers / one', rateOf(4) / rateOf(1)),
    ];
  },
};

/**
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {import('../services/agent-job.mjs').AgentJob} job
 * @param {number} modelPid
 */
async function measure({ postgresPid, redisPid, isSmall }, job, modelPid) {
  const ofRedis = redisPid === null ? [] : [redisPid];
  const readCpu = () => cpuTime([...job.pids(), ...ofRedis]) + cpuTimeOfFamily(postgresPid);
  const readOthers = () => cpuTime([modelPid, process.pid]);
  const count = isSmall ? RUNS / 10 : RUNS;
  const request = checkedRun(job.once, 'run');
  await closedLoop({ count: WARM_UP, clients: CLIENTS, request });
  const [cpuBefore, othersBefore] = [readCpu(), readOthers()];
  const begun = performance.now();
  await closedLoop({ count, clients: CLIENTS, request });
  const tookMs = performance.now() - begun;
  const [cpu, others] = [readCpu() - cpuBefore, readOthers() - othersBefore];
  return { rate: (count / tookMs) * 1_000, cores: (cpu + others) / tookMs, cpuMs: cpu / count };
}
