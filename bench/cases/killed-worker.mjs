// @ts-check
import { closedLoop } from '../load/closed-loop.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { UNHURRIED } from '../services/model-scripts.mjs';
import { waitUntil } from '../services/wait-until.mjs';

const KILLS = 5;
/** Executions running on both workers at the moment of the kill. */
const RUNNING = 40;
/** Slots for all executions on the remaining worker, so that none waits for a slot. */
const ROOM = { WORKER_CONCURRENCY: '200' };

export const killedWorker = {
  key: 'g',
  title: `kill -9 of a worker in the middle of its calls, until the next attempts begin (${KILLS} kills)`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const api = await world.startApi();
    const { executePath } = await makeAgent(api, 'sim-script');
    const submit = () =>
      closedLoop({ count: RUNNING, clients: 16, request: () => api.post(executePath, { input: UNHURRIED }) });
    const workers = [await world.startWorker(ROOM), await world.startWorker(ROOM)];
    /** @type {number[]} */
    const each = [];
    /** @type {number[]} */
    const last = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await submit();
      const times = await killAndWatch(world, workers);
      each.push(...times);
      last.push(Math.max(...times));
      workers.push(await world.startWorker(ROOM));
      // An execution lost repeatedly runs isolated after a backoff; the next kill must not hit it.
      await waitUntil(() => haveAllEnded(world.database), {
        what: 'all to end',
        signal: world.signal,
      });
    }
    return [
      figure('next attempt after p50', percentile(each, 50), 'ms'),
      figure('next attempt after p95', percentile(each, 95), 'ms', { atMost: 2_000 }),
      figure('last one of a kill, p50', percentile(last, 50), 'ms'),
      figure('executions that were taken up', each.length),
    ];
  },
};

/**
 * Kills the worker with more executions, and removes it from the list.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {import('../services/bench-program.mjs').BenchProgram[]} workers
 * @returns {Promise<number[]>} for each of its executions, milliseconds from the kill to the next claim
 */
async function killAndWatch(world, workers) {
  let held = new Map();
  let victim = workers[0];
  const findVictim = async () => {
    for (const worker of workers) {
      const theirs = await findHeld(world.database, worker.pid);
      if (theirs.size > held.size) [victim, held] = [worker, theirs];
    }
    return held.size >= RUNNING / 2;
  };
  await waitUntil(findVictim, { what: 'a worker with executions', signal: world.signal });
  if (victim === undefined) throw new Error('there is no worker');
  workers.splice(workers.indexOf(victim), 1);
  const killedAt = performance.now();
  await victim.kill();

  /** @type {number[]} */
  const times = [];
  const isOver = async () => {
    const sql = 'SELECT id, epoch, status FROM execution WHERE id = ANY($1)';
    for (const { id, epoch, status } of (await world.database.query(sql, [[...held.keys()]])).rows) {
      const before = held.get(id) ?? epoch;
      if (epoch === before && (status === 'running' || status === 'queued')) continue;
      held.delete(id);
      // An execution that settled just before the kill needs no further attempt.
      if (epoch > before) times.push(performance.now() - killedAt);
    }
    return held.size === 0;
  };
  await waitUntil(isOver, { what: 'all to be taken up again', signal: world.signal, everyMs: 10 });
  return times;
}

/** @param {import('pg').Pool} database */
async function haveAllEnded(database) {
  const sql = `SELECT NOT EXISTS (SELECT FROM execution WHERE status IN ('queued', 'running')) AS is_so`;
  return (await database.query(sql)).rows[0].is_so === true;
}

/**
 * @param {import('pg').Pool} database
 * @param {number} pid of a worker
 * @returns {Promise<Map<string, number>>} its executions and their epochs
 */
async function findHeld(database, pid) {
  const { rows } = await database.query(
    `SELECT id, epoch FROM execution WHERE status = 'running' AND lease_owner LIKE '%-' || $1 || '#%'`,
    [String(pid)],
  );
  return new Map(rows.map(({ id, epoch }) => [id, epoch]));
}
