import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { chosen, RUNS_ALL, whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { POISON_TOOLS } from '../programs/poison-tools.js';
import { CRASH_WORKER } from '../services/crash-programs.js';
import { EffectServer } from '../services/effect-server.js';
import { KeptWorkers } from '../services/kept-workers.js';

/** Intervals that last minutes in production last seconds here; the code is the same. */
const QUICK = {
  LOG_LEVEL: 'error',
  LEASE_SECONDS: '4',
  DISPATCH_INTERVAL_MS: '100',
  DISPATCH_AGAIN_SECONDS: '2',
  // Short only where `block_for_ever` runs: a busy machine may stall any process for 2 s.
  ...(RUNS_ALL && { WORKER_HANG_LIMIT_SECONDS: '2' }),
  ISOLATION_HEAP_MB: '128',
  NODE_OPTIONS: '--max-old-space-size=256',
};
const LIMIT_MS = 180_000;
const UNAFFECTED = RUNS_ALL ? 6 : 3;
/** The short run takes this poison tool only; the others end their process in other ways. */
const GIVEN = chosen(POISON_TOOLS, (name) => name === 'exit_process');

describe('poison executions, with the queue in PostgreSQL', () => {
  poisonAndUnaffected('postgres');
});
whenAllRun(() => {
  describeWithRedis('poison executions, with the queue in Redis', () => {
    poisonAndUnaffected('redis');
  });
});

function poisonAndUnaffected(backend: QueueBackend): void {
  let deployment: Deployment;
  let effects: EffectServer;
  let api: ApiClient;
  let database: Client;
  let workers: KeptWorkers;

  beforeAll(async () => {
    effects = await EffectServer.listen();
    deployment = await Deployment.open(backend, { ...QUICK, EFFECT_SERVER_URL: effects.url });
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE agent SET tools = $1, system_prompt = 'Be brief.' WHERE id = 1`, [
      JSON.stringify({ builtin: POISON_TOOLS }),
    ]);
    const pricing = { currency: 'USD', input: '1', cached_input: '1', output: '2', as_of: '2026-01-01' };
    await database.query(`UPDATE llm SET model = 'sim-script', pricing = $1`, [JSON.stringify(pricing)]);
    const [started, kept] = await Promise.all([
      deployment.startApi(),
      KeptWorkers.start(deployment, CRASH_WORKER, 2),
    ]);
    api = new ApiClient(started.url);
    workers = kept;
  });
  afterAll(async () => {
    await workers.close();
    await database.end();
    await deployment.close();
    await effects.close();
  });

  it(
    'are given up after two deaths of processes that held nothing else; everything beside them completes',
    async () => {
      const slow = { latency: { headers_ms: 3_000 }, text: 'here you are' };
      const unaffected = await Promise.all(
        Array.from({ length: UNAFFECTED }, () => api.submit({ input: scripted(slow) })),
      );
      const poison = await Promise.all(
        GIVEN.map((name) =>
          api.submit({ input: scripted({ calls: [{ name, arguments: {} }] }, { text: 'never' }) }),
        ),
      );

      for (const { id } of unaffected)
        expect(await api.settled(id, LIMIT_MS)).toMatchObject({ status: 'completed', error: null });
      for (const { id } of poison) {
        const view = await api.settled(id, LIMIT_MS);
        expect(view).toMatchObject({ status: 'failed', error: { code: 'POISONED' } });
        expect(view.usage?.total_tokens).toBeGreaterThan(0);
        expect(Number(view.usage?.total_cost_usd)).toBeGreaterThan(0);
      }
      const { rows } = await database.query<{ id: string; deaths: number; spent: number; attempt: number }>(
        `SELECT id, isolated_deaths AS deaths, attempt,
                (SELECT count(*)::int FROM usage_log WHERE execution_id = e.id AND cost_usd > 0) AS spent
           FROM execution e`,
      );
      const of = (ids: readonly { id: string }[]) =>
        rows.filter((row) => ids.some(({ id }) => id === row.id));
      expect(of(unaffected).map(({ deaths }) => deaths)).toEqual(unaffected.map(() => 0));
      expect(of(poison).map(({ deaths, spent }) => ({ deaths, spent }))).toEqual(
        poison.map(() => ({ deaths: 2, spent: 1 })),
      );
      // An execution is a suspect after two lost workers; from then on it runs isolated and ends no worker.
      expect(workers.lastWords.length).toBeLessThanOrEqual(2 * GIVEN.length);
    },
    2 * LIMIT_MS,
  );
}
