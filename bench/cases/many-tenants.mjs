// @ts-check
import { figure } from '../measure/figure.mjs';
import { measureRuns } from '../measure/measure-runs.mjs';
import { openAgentJob } from '../services/agent-job.mjs';
import { insertHistory } from '../services/insert-history.mjs';
import { insertTenants } from '../services/insert-tenants.mjs';
import { startFakeModel } from '../services/start-fake-model.mjs';

const TENANTS = 10_000;
const SESSIONS = 1_000_000;
const RUNS_OF_SESSION = 10;
/** Executions of all clients together, and places of the worker. */
const RUNS = 1_000;
const CONCURRENCY = 50;

export const manyTenants = {
  key: 'w',
  isOfAnyQueue: true,
  isOnDemand: true,
  title: `the agent job among ${TENANTS} tenants, ${SESSIONS} sessions and ${SESSIONS * RUNS_OF_SESSION} finished executions`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { url, pid: modelPid } = await startFakeModel(world);
    const scale = world.isSmall ? 0.1 : 1;
    const empty = await measure(await world.openTwin(), url, modelPid);
    await insertTenants(world.database, TENANTS * scale);
    await insertHistory(world.database, { sessions: SESSIONS * scale, runsOfSession: RUNS_OF_SESSION });
    const full = await measure(world, url, modelPid);
    const { rows } = await world.database.query(
      'SELECT pg_database_size(current_database())::float8 AS bytes',
    );
    return [
      figure('tenants', TENANTS * scale),
      figure('finished executions', SESSIONS * RUNS_OF_SESSION * scale),
      figure('size of the database', rows[0].bytes / 1e9, 'GB'),
      ...['system', 'postgres', 'all'].flatMap((who) => [
        figure(`CPU of an execution, ${who}, alone`, empty[who] ?? Number.NaN, 'ms'),
        figure(`CPU of an execution, ${who}, among many`, full[who] ?? Number.NaN, 'ms'),
      ]),
      figure('rate, among many / alone', (full.rate ?? Number.NaN) / (empty.rate ?? Number.NaN)),
    ];
  },
};

/**
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {string} modelServer
 * @param {number} modelPid
 * @returns {Promise<Record<string, number>>}
 */
async function measure(world, modelServer, modelPid) {
  const { postgresPid, redisPid } = world;
  const job = await openAgentJob(world, { modelServer, workers: 1, concurrency: CONCURRENCY });
  const { once } = await measureRuns(job, { postgresPid, redisPid, modelPid }, RUNS);
  const { system, postgres, redis } = once.cpu;
  return { rate: once.rate, system, postgres, all: system + postgres + redis };
}
