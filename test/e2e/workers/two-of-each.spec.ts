import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { ExecutionView } from '#libs/payloads';
import { whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';

const slowly = (text: string, ms = 1_500) => scripted({ text, latency: { headers_ms: ms } });

describe('two API and two worker processes on one database, with the queue in PostgreSQL', () => {
  twoOfEach('postgres');
});
whenAllRun(() => {
  describeWithRedis('two API and two worker processes on one database, with the queue in Redis', () => {
    twoOfEach('redis');
  });
});

function twoOfEach(backend: QueueBackend): void {
  let deployment: Deployment;
  let apis: ApiClient[];
  let workers: ServiceProcess[];
  let database: Client;

  beforeAll(async () => {
    // A reserve would let a worker without a free slot run the executions of the other one.
    deployment = await Deployment.open(backend, { WORKER_CONCURRENCY: '1', WORKER_RESERVE: '0' });
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    const startTwo = <One>(start: () => Promise<One>): Promise<One[]> => Promise.all([start(), start()]);
    const [started, startedWorkers] = await Promise.all([
      startTwo(() => deployment.startApi()),
      startTwo(() => deployment.startWorker()),
    ]);
    apis = started.map(({ url }) => new ApiClient(url));
    workers = startedWorkers;
  });
  afterAll(async () => {
    await database.end();
    await deployment.close();
  });

  whenAllRun(() => {
    it('share the work', async () => {
      // Long enough that a busy machine starts both before one of them has ended.
      const [first, second] = await Promise.all(
        apis.map((api) => api.submit({ input: slowly('done', 6_000) })),
      );
      await waitFor(
        async () => {
          const { rows } = await database.query<{ owners: number }>(
            `SELECT count(DISTINCT lease_owner)::int AS owners FROM execution WHERE status = 'running'`,
          );
          return rows[0]?.owners === 2;
        },
        { description: 'both workers to run one execution each' },
      );
      for (const submitted of [first, second]) {
        expect(await apis[0]?.settled(submitted?.id ?? '')).toMatchObject({
          status: 'completed',
          attempt: 1,
        });
      }
    });
  });

  it('resume events on the other API, without a gap and without a double', async () => {
    const [one, other] = apis as [ApiClient, ApiClient];
    const { id } = await one.submit({ input: slowly('a few words to follow') });
    const begun = await one.events(id, null, 2);
    const rest = await other.events(id, begun.at(-1)?.id ?? null);
    const all = [...begun, ...rest];
    expect(all.map((event) => Number(event.id))).toEqual(all.map((_, index) => index + 1));
    expect(all.at(-1)?.event).toBe('result');
    const text = all
      .filter((event) => event.event === 'text_delta')
      .map((event) => (JSON.parse(event.data) as { content: string }).content);
    expect(text.join('')).toBe('a few words to follow');
    expect(await other.events(id, all.at(-1)?.id ?? null)).toEqual([]);
  });

  whenAllRun(() => {
    it('go on with the clients of an API that was killed, also after the end', async () => {
      const [survivor] = apis as [ApiClient];
      const doomed = await deployment.startApi();
      const { id } = await survivor.submit({ input: slowly('served by two processes') });
      const begun = await new ApiClient(doomed.url).events(id, null, 2, () => doomed.process.kill());
      const rest = await survivor.events(id, begun.at(-1)?.id ?? null);
      const all = [...begun, ...rest];
      expect(all.map((event) => Number(event.id))).toEqual(all.map((_, index) => index + 1));
      expect(all.at(-1)?.event).toBe('result');

      const late = new ApiClient((await deployment.startApi()).url);
      expect(await late.events(id)).toEqual(all);
      expect(await late.events(id, begun.at(-1)?.id ?? null)).toEqual(rest);
      expect(await late.events(id, all.at(-1)?.id ?? null)).toEqual([]);
    });
  });

  it('run the turns of one conversation one at a time and in order', async () => {
    const [one, other] = apis as [ApiClient, ApiClient];
    const first = await one.submit({ input: slowly('turn 1') });
    const session_uuid = first.session_uuid;
    const rest = [];
    for (const [index, api] of [other, one, other].entries()) {
      rest.push(await api.submit({ session_uuid, input: scripted({ text: `turn ${index + 2}` }) }));
    }
    await Promise.all(rest.map(({ id }) => one.settled(id)));
    const { data } = await one.get<{ data: { role: string; content: string }[] }>(
      `/api/sessions/${session_uuid}/messages/`,
    );
    const answers = data.filter((message) => message.role === 'assistant').map((message) => message.content);
    expect(answers).toEqual(['turn 1', 'turn 2', 'turn 3', 'turn 4']);
  });

  whenAllRun(() => {
    it('finish what a worker releases when it is asked to stop', async () => {
      const [api] = apis as [ApiClient];
      const calls = [{ name: 'search_items', arguments: { query: 'roma', limit: null } }];
      const answers = [{ calls }, { calls }, { text: 'done' }].map((answer) => ({
        ...answer,
        latency: { headers_ms: 1_500 },
      }));
      const { id } = await api.submit({ input: scripted(...answers) });
      const owner = await waitFor(() => ownerOf(id), { description: 'a worker to take it' });
      const worker = workers.find((candidate) => owner.includes(`-${candidate.pid}#`));
      expect(await worker?.stop()).toBe(0);
      const view: ExecutionView = await api.settled(id);
      expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'done' } } });
      expect(view.attempt).toBeGreaterThan(1);
    });
  });

  async function ownerOf(id: string): Promise<string | null> {
    const { rows } = await database.query<{ lease_owner: string | null }>(
      'SELECT lease_owner FROM execution WHERE id = $1',
      [id],
    );
    return rows[0]?.lease_owner ?? null;
  }
}
