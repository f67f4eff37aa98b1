import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';

describe('accepted executions', () => {
  let deployment: Deployment;
  let database: Client;
  let api: ApiClient;

  /** @param handover as in `HANDOVER` */
  async function open(handover: 'direct' | 'queue'): Promise<void> {
    // Without a look for lost work in time, an execution whose hand-over failed would not run.
    deployment = await Deployment.open('postgres', { HANDOVER: handover, DISPATCH_INTERVAL_MS: '60000' });
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    const [{ url }] = await Promise.all([
      deployment.startApi(),
      deployment.startWorker(),
      deployment.startWorker(),
    ]);
    api = new ApiClient(url);
  }

  afterEach(async () => {
    await database.end();
    await deployment.close();
  });

  async function run(): Promise<void> {
    const { id } = await api.submit({ input: 'hello' });
    const { status, attempt } = await api.settled(id);
    expect({ status, attempt }).toEqual({ status: 'completed', attempt: 1 });
  }

  async function addresses(): Promise<(string | null)[]> {
    const { rows } = await database.query<{ address: string | null }>('SELECT address FROM worker');
    return rows.map(({ address }) => address);
  }

  it('are handed to a worker with a free slot, which needs no claim', async () => {
    await open('direct');
    const urls = await addresses();
    expect(urls).toHaveLength(2);
    const assigned = async (): Promise<number> => {
      const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
      return texts.reduce((sum, text) => sum + countIn(text), 0);
    };
    // The first one has the API look for workers.
    await waitFor(async () => run().then(async () => (await assigned()) > 0), {
      description: 'an execution to be handed over',
    });
  });

  it('go through the queue with HANDOVER=queue', async () => {
    await open('queue');
    expect(await addresses()).toEqual([null, null]);
    await run();
  });
});

function countIn(metrics: string): number {
  const [, count = 'none'] = /^capstan_claims_total\{outcome="assigned"\} (\d+)/mu.exec(metrics) ?? [];
  return Number(count);
}
