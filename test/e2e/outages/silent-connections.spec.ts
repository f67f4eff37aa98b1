import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { chosen, whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { startBreakableProxy, type BreakableProxy } from '../../support/services/breakable-proxy.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { createTestRedis } from '../../support/services/redis-database.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';
import { waitFor } from '../../support/services/wait-for.js';

const TIMEOUT_MS = 180_000;
/** Milliseconds within which all work has to go on. */
const WITHIN_MS = 60_000;

const SEARCH = { name: 'search_items', arguments: { query: 'roma', limit: null } };

/** A quarter of the production values, for all times that follow from the settings. */
const QUICK = { CONNECTION_PING_SECONDS: '2', DATABASE_STATEMENT_SECONDS: '5', LEASE_SECONDS: '12' };
const SETTINGS = process.env['PRODUCTION_TIMES'] === undefined ? QUICK : {};

interface Kind {
  readonly name: string;
  readonly server: 'postgres' | 'redis';
  /** Selects connections by their first bytes; undefined for all. */
  readonly isMeant?: (opening: string) => boolean;
}

const named =
  (name: string) =>
  (opening: string): boolean =>
    opening.includes(name);
const isEvents = named('capstan:events');

const OF_POSTGRES: readonly Kind[] = [
  { name: 'every connection to PostgreSQL', server: 'postgres' },
  { name: 'the worker’s pool', server: 'postgres', isMeant: named('capstan-worker') },
  { name: 'the API’s pool', server: 'postgres', isMeant: named('capstan-api') },
  { name: 'the presence', server: 'postgres', isMeant: named('capstan-presence') },
  { name: 'the event listener', server: 'postgres', isMeant: named('capstan-event-listener') },
];

whenAllRun(() => {
  describe('with the queue in PostgreSQL, when', () => {
    goneSilent('postgres', [
      ...OF_POSTGRES,
      { name: 'the pool of the queue', server: 'postgres', isMeant: named('capstan-queue') },
    ]);
  });
});
describeWithRedis('with the queue in Redis, when', () => {
  goneSilent('redis', [
    { name: 'every connection to PostgreSQL', server: 'postgres' },
    { name: 'every connection to Redis', server: 'redis' },
    { name: 'the event stream', server: 'redis', isMeant: isEvents },
    { name: 'the queues and workers', server: 'redis', isMeant: (opening) => !isEvents(opening) },
  ]);
});

function goneSilent(backend: QueueBackend, kinds: readonly Kind[]): void {
  let deployment: Deployment;
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let proxies: Record<Kind['server'], BreakableProxy | null>;

  beforeAll(async () => {
    receiver = await WebhookReceiver.listen();
    const redis = backend === 'redis' ? createTestRedis() : null;
    deployment = await Deployment.open('postgres', SETTINGS);
    const postgres = await startBreakableProxy(deployment.databaseUrl);
    proxies = { postgres, redis: redis === null ? null : await startBreakableProxy(redis.url) };
    const through = {
      DATABASE_URL: postgres.url,
      ...(proxies.redis && { REDIS_URL: proxies.redis.url }),
    };
    const [{ url }] = await Promise.all([deployment.startApi(through), deployment.startWorker(through)]);
    api = new ApiClient(url);
    const database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    await database.end();
    await api.post('/api/webhook-endpoints/', { url: receiver.url, events: ['execution.completed'] });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await deployment.close();
    await Promise.all([proxies.postgres?.close(), proxies.redis?.close(), receiver.close()]);
  }, TIMEOUT_MS);

  it.each(chosen(kinds, ({ name }) => name.startsWith('every connection')))(
    '$name goes silent, what runs and what comes is completed, delivered and streamed',
    async ({ name, server, isMeant }) => {
      // One execution is in progress, the other is submitted when no connection answers any more.
      const slow = { latency: { headers_ms: 1_500 }, text: 'at last' };
      const running = await api.submit({ input: scripted({ calls: [SEARCH] }, slow) });
      const events = api.events(running.id);
      await waitFor(
        async () =>
          (await api.get<{ data: object[] }>(`/api/executions/${running.id}/steps/`)).data.length > 0,
        { description: 'the first execution to be under way' },
      );

      proxies[server]?.silence(isMeant);
      const since = performance.now();
      const coming = await waitFor(() => api.submit({ input: scripted({ text: 'here you are' }) }), {
        description: 'the second one to be accepted',
        timeoutMs: WITHIN_MS,
      });
      const views = [await settled(running.id), await settled(coming.id)];
      await delivered(running.id);
      await delivered(coming.id);

      console.log(`${backend}: ${name}: ${Math.round(performance.now() - since)} ms`);
      expect(views).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
      expect((await events).filter(({ event }) => event === 'result')).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  const settled = (id: string) => api.settled(id, WITHIN_MS);

  const delivered = (id: string) =>
    waitFor(() => receiver.received.some(({ body }) => body.includes(id)), {
      description: 'the webhook to arrive',
      timeoutMs: WITHIN_MS,
    });
}
