// @ts-check
import { checkedRun } from '../load/checked-run.mjs';
import { closedLoop } from '../load/closed-loop.mjs';
import { figure } from '../measure/figure.mjs';
import { median } from '../measure/median.mjs';
import { percentile } from '../measure/percentile.mjs';
import { watchMemory } from '../measure/peak-memory.mjs';
import { privateBytes } from '../measure/process-files.mjs';
import { growthOf, readTables } from '../measure/table-bloat.mjs';
import { openAgentJob } from '../services/agent-job.mjs';
import { startFakeModel } from '../services/start-fake-model.mjs';
import { startWebhookCounter } from '../services/webhook-counter.mjs';

const SECONDS = 180;
const WARM_UP_SECONDS = 3;
const CLIENTS = 50;
const CONCURRENCY = 50;
/** Parts of the run that are compared. */
const PARTS = 3;
/** Tables with several updates for each execution. */
const SHOWN = ['execution', 'chat_session', 'webhook_delivery', 'session_title'];

/** @typedef {{endedAt: number, tookMs: number}} Run */

export const sustainedLoad = {
  key: 'k',
  isOfAnyQueue: true,
  title: `the agent job with a webhook for ${SECONDS} s: its last third against its first, and what is left behind in the tables`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const seconds = world.isSmall ? SECONDS / 10 : SECONDS;
    const { url } = await startFakeModel(world);
    const job = await openAgentJob(world, { modelServer: url, workers: 1, concurrency: CONCURRENCY });
    const webhooks = await startWebhookCounter(world);
    await job.api.post('/api/webhook-endpoints/', { url: webhooks.url });
    await runFor(world, job, WARM_UP_SECONDS, 'warm-up');
    const before = await readTables(world.database);
    const walBefore = await readWal(world.database);
    const begun = performance.now();
    const { bytes, result: runs } = await watchMemory(job.pids, () => runFor(world, job, seconds, 'run'));
    const wal = (await readWal(world.database)) - walBefore;
    const after = await readTables(world.database);
    const connections = await readConnections(world.database);
    const growth = growthOf(before, after);
    const parts = Array.from({ length: PARTS }, (_, part) =>
      runs.filter(({ endedAt }) => Math.floor(((endedAt - begun) / (seconds * 1_000)) * PARTS) === part),
    );
    const [first, last] = [describe(parts[0]), describe(parts.at(-1))];
    const partSeconds = seconds / PARTS;
    return [
      figure('executions', runs.length),
      figure('rate, first third', first.count / partSeconds, 'executions/s'),
      figure('rate, last third', last.count / partSeconds, 'executions/s'),
      figure('rate, last third / first', last.count / first.count),
      figure('p50, first third', first.p50, 'ms'),
      figure('p99, first third', first.p99, 'ms'),
      figure('p50, last third', last.p50, 'ms'),
      figure('p99, last third', last.p99, 'ms'),
      figure('RSS of API and worker', bytes / 1e6, 'MB'),
      figure('WAL per execution', wal / runs.length / 1_000, 'kB'),
      figure('tables and indexes per execution', growth.bytes / runs.length / 1_000, 'kB'),
      figure('index entries per execution, at most', growth.indexEntries / runs.length),
      figure('connections of API and worker', connections.length),
      figure('memory of a connection of PostgreSQL', median(connections.map(privateBytes)) / 1e6, 'MB'),
      ...SHOWN.flatMap((name) => {
        const [then, now] = [before.get(name), after.get(name)];
        if (then === undefined || now === undefined) return [];
        const updates = now.updates - then.updates;
        return [
          figure(`${name}: updates per execution`, updates / runs.length),
          figure(
            `${name}: of these HOT`,
            updates === 0 ? 0 : ((now.hotUpdates - then.hotUpdates) / updates) * 100,
            '%',
          ),
          figure(`${name}: dead rows at the end`, now.deadRows),
          figure(
            `${name}: size with indexes per execution`,
            (now.bytes - then.bytes) / runs.length / 1_000,
            'kB',
          ),
        ];
      }),
    ];
  },
};

/**
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {import('../services/agent-job.mjs').AgentJob} job
 * @param {number} seconds
 * @param {string} name never used before
 * @returns {Promise<Run[]>}
 */
async function runFor(world, job, seconds, name) {
  /** @type {Run[]} */
  const runs = [];
  const run = checkedRun(job.once, name);
  const request = async () => {
    world.signal.throwIfAborted();
    const begunAt = performance.now();
    await run();
    const endedAt = performance.now();
    runs.push({ endedAt, tookMs: endedAt - begunAt });
  };
  await closedLoop({ seconds, clients: CLIENTS, request });
  return runs;
}

/** @param {readonly Run[]} [runs] */
function describe(runs = []) {
  const times = runs.map(({ tookMs }) => tookMs);
  return { count: runs.length, p50: percentile(times, 50), p99: percentile(times, 99) };
}

/** @param {import('pg').Pool} database @returns {Promise<number>} bytes since the server was made */
async function readWal(database) {
  return (await database.query(`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal`)).rows[0].wal;
}

/** @param {import('pg').Pool} database @returns {Promise<number[]>} processes of PostgreSQL that serve API and worker */
async function readConnections(database) {
  const { rows } = await database.query(
    `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'capstan%' ORDER BY pid`,
  );
  return rows.map(({ pid }) => pid);
}
