import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { seed } from '../../../apps/migrate/src/seed.js';
import { createDataSource, ExecutionAcceptanceStore } from '#libs/persistence';
import { aSubmission } from '../../support/builders/submission.js';
import { RUNS_ALL, whenAllRun } from '../../support/selection.js';
import { scripted } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';

const SILENT = scripted({ faults: [{ on: {}, fault: { kind: 'hang_before_headers' } }], text: 'never' });
const ONE_LINE = scripted({ text: 'done' });
const FLOOD = RUNS_ALL ? 300 : 100;
const ONE_BY_ONE = RUNS_ALL ? 20 : 5;
const PLACES = 20;

describe('a tenant whose model server is silent, with the queue in PostgreSQL (I24)', () => {
  silentTenant('postgres');
});
whenAllRun(() => {
  describeWithRedis('a tenant whose model server is silent, with the queue in Redis (I24)', () => {
    silentTenant('redis');
  });
});

function silentTenant(backend: QueueBackend): void {
  let deployment: Deployment;
  let dataSource: DataSource;
  let acceptances: ExecutionAcceptanceStore;

  beforeAll(async () => {
    deployment = await Deployment.open(backend, { WORKER_CONCURRENCY: String(PLACES), LOG_LEVEL: 'error' });
    await seed(deployment.databaseUrl, 'flooding', { provider: 'openai', model: 'sim-script' });
    await seed(deployment.databaseUrl, 'patient', { provider: 'openai', model: 'sim-script' });
    dataSource = await createDataSource({ url: deployment.databaseUrl }).initialize();
    acceptances = new ExecutionAcceptanceStore(dataSource);
    await Promise.all([deployment.startWorker(), deployment.startWorker()]);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await deployment.close();
  });

  async function submit(tenantId: string, input: string): Promise<string> {
    const [agent] = await dataSource.query<{ id: number }[]>(
      'SELECT min(id) AS id FROM agent WHERE tenant_id = $1',
      [tenantId],
    );
    const request = { input, options: {}, additional_data: {} };
    const submission = aSubmission({ tenantId, agentId: agent?.id ?? 0, request });
    await acceptances.accept(submission);
    return submission.executionId;
  }

  async function countOf(tenantId: string, condition: string): Promise<number> {
    const [row] = await dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM execution WHERE tenant_id = $1 AND ${condition}`,
      [tenantId],
    );
    return row?.count ?? 0;
  }

  it('leaves other tenants their share, and has every slot while it is alone', async () => {
    for (let n = 0; n < FLOOD; n += 1) await submit('flooding', SILENT);
    await waitFor(async () => (await countOf('flooding', `status = 'running'`)) === 2 * PLACES, {
      description: 'one tenant to have every place',
    });

    const waitsMs: number[] = [];
    for (let n = 0; n < ONE_BY_ONE; n += 1) {
      const begun = performance.now();
      const id = await submit('patient', ONE_LINE);
      await waitFor(async () => (await countOf('patient', `id = '${id}' AND status = 'completed'`)) === 1, {
        description: `execution ${n + 1} of the other tenant to complete`,
      });
      waitsMs.push(performance.now() - begun);
    }

    expect(await countOf('flooding', `finished_at IS NOT NULL`)).toBe(0);
    expect(await countOf('flooding', `status = 'running'`)).toBe(2 * PLACES);
    const p95 = waitsMs.toSorted((one, other) => one - other)[Math.ceil(0.95 * ONE_BY_ONE) - 1] ?? NaN;
    console.log(`${backend}: the other tenant's p95 is ${Math.round(p95)} ms`);
  });
}
