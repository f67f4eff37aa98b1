import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../apps/migrate/src/migrate.js';
import { seed } from '../../../apps/migrate/src/seed.js';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';
import { PostgresServer, withClient } from '../chaos/cluster/postgres-server.js';
import { WORKER } from '../services/crash-programs.js';
import { KeptWorkers } from '../services/kept-workers.js';

const QUICK = {
  LOG_LEVEL: 'fatal',
  LEASE_SECONDS: '5',
  DISPATCH_INTERVAL_MS: '100',
  DISPATCH_AGAIN_SECONDS: '2',
};
const MODEL = 'sim-script';
const LIMIT_MS = 120_000;
/** The model answers after 6 s, so that every kill or restart falls into the middle of a call. */
const SLOW = scripted({ latency: { headers_ms: 6_000 }, text: 'here you are' });
const WORKERS = 2;
const AT_ONCE = 8;

describe('an execution that did nothing wrong completes', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  /** Starts two workers on the deployment and submits `count` executions that wait for a slow model. */
  async function work(
    deployment: Deployment,
    count: number,
  ): Promise<{ workers: KeptWorkers; submitted: ExecutionView[]; api: ApiClient }> {
    cleanUps.push(() => deployment.close());
    await withClient(deployment.databaseUrl, (client) => client.query(`UPDATE llm SET model = $1`, [MODEL]));
    const api = new ApiClient((await deployment.startApi()).url);
    const workers = await KeptWorkers.start(deployment, WORKER, WORKERS);
    cleanUps.push(() => workers.close());
    await waitFor(
      () =>
        withClient(deployment.databaseUrl, async (client) => {
          const { rows } = await client.query('SELECT 1 FROM worker WHERE places > 0');
          return rows.length === WORKERS;
        }),
      { description: 'both workers to be there', timeoutMs: LIMIT_MS },
    );
    const submitted = await Promise.all(Array.from({ length: count }, () => api.submit({ input: SLOW })));
    return { workers, submitted, api };
  }

  const running = (deployment: Deployment, attempt: number, count: number) =>
    waitFor(
      () =>
        withClient(deployment.databaseUrl, async (client) => {
          const { rows } = await client.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM execution
              WHERE status = 'running' AND lease_expires_at > now() AND attempt >= $1`,
            [attempt],
          );
          return (rows[0]?.count ?? 0) >= count;
        }),
      { description: `${count} executions in attempt ${attempt}`, timeoutMs: LIMIT_MS },
    );

  async function expectCompleted(api: ApiClient, submitted: readonly ExecutionView[]): Promise<void> {
    const views = await Promise.all(submitted.map(({ id }) => api.settled(id, LIMIT_MS)));
    expect(views.map(({ status, error }) => error?.code ?? status)).toEqual(views.map(() => 'completed'));
  }

  it(
    'although all workers are killed three times within one call of its model',
    async () => {
      const deployment = await Deployment.open('postgres', QUICK);
      const { api, submitted, workers } = await work(deployment, 12);
      for (const [attempt, count] of [
        [1, 12],
        [2, 12],
        // Suspects by now: each worker runs them isolated, one after the other.
        [3, WORKERS],
      ] as const) {
        await running(deployment, attempt, count);
        await workers.killAll();
      }
      await expectCompleted(api, submitted);
    },
    3 * LIMIT_MS,
  );

  it(
    'although the database is restarted three times within one call of its model',
    async () => {
      const home = mkdtempSync(join(tmpdir(), 'capstan-restarts-'));
      chmodSync(home, 0o755);
      cleanUps.push(() => rm(home, { recursive: true, force: true }));
      const postgres = await PostgresServer.start(home);
      await migrate(postgres.url);
      await seed(postgres.url, 'default', { provider: 'openai', model: MODEL });
      const database = { url: postgres.url, drop: () => postgres.stop() };
      const deployment = await Deployment.on(database, 'postgres', QUICK);
      const { api, submitted, workers } = await work(deployment, AT_ONCE);
      for (const _restart of [1, 2, 3]) {
        await running(deployment, 1, AT_ONCE);
        await postgres.crash();
        await postgres.restart();
      }
      await expectCompleted(api, submitted);
      expect(workers.lastWords).toEqual([]);
    },
    3 * LIMIT_MS,
  );
});
