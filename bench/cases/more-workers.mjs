// @ts-check
import { availableParallelism } from 'node:os';
import { figure } from '../measure/figure.mjs';
import { CLIENTS, measureRuns } from '../measure/measure-runs.mjs';
import { openAgentJob } from '../services/agent-job.mjs';
import { startFakeModel } from '../services/start-fake-model.mjs';

/** 0: API and worker in one process. */
const WORKERS = [0, 1, 2, 4];
const MAX_MB_OF_ONE_PROCESS = 250;
const RUNS = 1_000;
const CONCURRENCY = 50;
/** Share of the machine in use above which more workers cannot help. */
const FULL = 0.9;

export const moreWorkers = {
  key: 'j',
  title: 'the agent job in one process, and with 1, 2 and 4 workers',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { redisPid, postgresPid } = world;
    const { url, pid: modelPid } = await startFakeModel(world);
    const runs = world.isSmall ? RUNS / 10 : RUNS;
    const found = [];
    for (const workers of WORKERS) {
      const twin = await world.openTwin();
      const job = await openAgentJob(twin, { modelServer: url, workers, concurrency: CONCURRENCY });
      const { once, memory } = await measureRuns(job, { postgresPid, redisPid, modelPid }, runs);
      await twin.close();
      const cpuMs = Object.values(once.cpu).reduce((sum, ms) => sum + ms, 0);
      // CPU ms of a run times runs per second: cores in use by all processes.
      const cores = (cpuMs * once.rate) / 1_000;
      found.push({
        workers,
        name: workers === 0 ? 'one process' : `workers: ${workers}`,
        cores,
        memory,
        ...once,
      });
    }
    const [, one, two] = found;
    const share = (one?.cores ?? Number.NaN) / availableParallelism();
    return [
      ...found.flatMap(({ workers, name, rate, p99, cores, memory, cpu, loadShare }) => [
        figure(`rate, ${CLIENTS} clients, ${name}`, rate, 'executions/s'),
        figure(`p99, ${name}`, p99, 'ms'),
        figure(`CPU per execution, ${name}`, cpu.system + cpu.postgres + cpu.redis, 'ms'),
        figure(
          `RSS of API and workers, ${name}`,
          memory / 1e6,
          'MB',
          workers === 0 ? { atMost: MAX_MB_OF_ONE_PROCESS } : undefined,
        ),
        figure(`cores in use of ${availableParallelism()}, ${name}`, cores),
        figure(`load generator, ${name}`, loadShare * 100, '% of a core'),
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
