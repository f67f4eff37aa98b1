import { closedLoop } from '../load/closed-loop.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { UNHURRIED } from '../services/model-scripts.mjs';
import { waitUntil } from '../services/wait-until.mjs';

const KILLS = 10;
/** Executions that run on both workers when one is killed. */
const RUNNING = 40;

export const killedWorker = {
  key: 'g',
  title: `kill -9 of a worker in the middle of its calls, until the next attempts begin (${KILLS} kills)`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const api = await world.startApi();
    const { executePath } = await makeAgent(api, 'sim-script');
    const submit = () =>
      closedLoop({ count: RUNNING, clients: 16, request: () => api.post(executePath, { input: UNHURRIED }) });
    let survivor = await world.startWorker();
    /** @type {number[]} */
    const each = [];
    /** @type {number[]} */
    const last = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const victim = survivor;
      survivor = await world.startWorker();
      await submit();
      const times = await killAndWatch(world, victim);
      each.push(...times);
      last.push(Math.max(...times));
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
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {import('../services/bench-program.mjs').BenchProgram} victim
 * @returns {Promise<number[]>} for each of its executions, milliseconds from the kill to the next claim
 */
async function killAndWatch(world, victim) {
  /** @type {Map<string, number>} */
  const held = new Map();
  const findHeld = async () => {
    const { rows } = await world.database.query(
      `SELECT id, epoch FROM execution WHERE status = 'running' AND lease_owner LIKE '%-' || $1 || '#%'`,
      [String(victim.pid)],
    );
    for (const { id, epoch } of rows) held.set(id, epoch);
    return rows.length >= RUNNING / 4;
  };
  await waitUntil(findHeld, { what: 'a worker with executions', signal: world.signal });
  const killedAt = performance.now();
  await victim.kill();

  /** @type {number[]} */
  const times = [];
  const isOver = async () => {
    const { rows } = await world.database.query(
      'SELECT id, epoch, status FROM execution WHERE id = ANY($1)',
      [[...held.keys()]],
    );
    for (const { id, epoch, status } of rows) {
      const before = held.get(id) ?? epoch;
      // One that ended in the moment before the kill needs no next attempt.
      if (epoch === before && (status === 'running' || status === 'queued')) continue;
      held.delete(id);
      if (epoch > before) times.push(performance.now() - killedAt);
    }
    return held.size === 0;
  };
  await waitUntil(isOver, { what: 'all to be taken up again', signal: world.signal, everyMs: 10 });
  return times;
}
