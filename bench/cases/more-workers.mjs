// @ts-check
import { availableParallelism } from 'node:os';
import { figure } from '../measure/figure.mjs';
import { CLIENTS, measureRuns } from '../measure/measure-runs.mjs';
import { openAgentJob } from '../services/agent-job.mjs';
import { startFakeModel } from '../services/start-fake-model.mjs';

const WORKERS = [1, 2, 4];
const RUNS = 1_500;
const CONCURRENCY = 50;
/** With less of the machine left idle, more workers have nothing to work with. */
const FULL = 0.9;

export const moreWorkers = {
  key: 'j',
  title: `the agent job with ${WORKERS.join(', ')} workers`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { redisPid, postgresPid } = world;
    const { url, pid: modelPid } = await startFakeModel(world);
    const found = [];
    for (const workers of WORKERS) {
      const twin = await world.openTwin();
      const job = await openAgentJob(twin, { modelServer: url, workers, concurrency: CONCURRENCY });
      const { once, memory } = await measureRuns(job, { postgresPid, redisPid, modelPid }, RUNS);
      await twin.close();
      const cpuMs = Object.values(once.cpu).reduce((sum, ms) => sum + ms, 0);
      // CPU milliseconds of a run times runs per second: cores in use, by everything that takes part.
      const cores = (cpuMs * once.rate) / 1_000;
      found.push({ workers, cores, memory, ...once });
    }
    const [one, two] = found;
    const share = (one?.cores ?? Number.NaN) / availableParallelism();
    return [
      ...found.flatMap(({ workers, rate, p99, cores, memory, cpu, loadShare }) => [
        figure(`rate, ${CLIENTS} clients, workers: ${workers}`, rate, 'executions/s'),
        figure(`p99, workers: ${workers}`, p99, 'ms'),
        figure(`CPU per execution, workers: ${workers}`, cpu.system + cpu.postgres + cpu.redis, 'ms'),
        figure(`RSS of API and workers, workers: ${workers}`, memory / 1e6, 'MB'),
        figure(`cores in use of ${availableParallelism()}, workers: ${workers}`, cores),
        figure(`load generator, workers: ${workers}`, loadShare * 100, '% of a core'),
      ]),
      figure(
        share > FULL ? 'two workers / one, where one already fills the machine' : 'two workers / one',
        (two?.rate ?? Number.NaN) / (one?.rate ?? Number.NaN),
        '',
        share > FULL ? undefined : { atLeast: 1.6 },
      ),
    ];
  },
};
