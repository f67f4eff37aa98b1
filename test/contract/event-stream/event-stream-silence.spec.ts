import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openEventStream, type OpenedEventStream } from '#libs/event-stream';
import { watchedConnections } from '#libs/persistence';
import { Pool } from 'pg';
import { startBreakableProxy, type BreakableProxy } from '../../support/services/breakable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { createEventTable } from './event-table.js';
import { textDelta } from './sample-events.js';

const PING_EVERY_MS = 200;
const log = (): void => undefined;

let proxy: BreakableProxy;
let stream: OpenedEventStream;

/** Silences all open connections, and expects the stream to work again on new ones. */
async function comesBack(): Promise<void> {
  const executionId = randomUUID();
  const watch = stream.watch(executionId);
  await waitFor(() => isWell(), { description: 'it to be notified of appends' });
  await stream.append(executionId, 1, [textDelta('before')]);
  proxy.silence();

  await waitFor(async () => !(await isWell()), { description: 'the silence to be reported' });
  await waitFor(isWell, { description: 'its connections to be replaced' });

  const id = (await stream.lastId(executionId)) + 1;
  await stream.append(executionId, id, [textDelta('after')]);
  expect(await stream.lastId(executionId)).toBe(id);
  watch.close();
}

const isWell = (): Promise<boolean> =>
  stream.check().then(
    () => true,
    () => false,
  );

describeWithRedis('an event stream whose connections to Redis go silent', (redis) => {
  beforeEach(async () => {
    proxy = await startBreakableProxy(redis.url);
    const options = { url: proxy.url, keyPrefix: redis.prefix, commandTimeoutMs: 200 };
    stream = openEventStream({ backend: 'redis', ...options, pingEveryMs: PING_EVERY_MS, log });
  });
  afterEach(async () => {
    await stream.close();
    await proxy.close();
  });

  it('comes back by itself', comesBack);
});

it('an event stream whose connections to PostgreSQL go silent comes back by itself', async () => {
  const database: TestDatabase = await createTestDatabase();
  await createEventTable(database.url);
  proxy = await startBreakableProxy(database.url);
  const connections = watchedConnections({ queryTimeoutMs: 500, pingEveryMs: PING_EVERY_MS });
  const pool = new Pool({ ...connections, connectionString: proxy.url, max: 2 });
  stream = openEventStream({
    backend: 'postgres',
    pool,
    queryTimeoutMs: 500,
    pingEveryMs: PING_EVERY_MS,
    log,
  });

  await comesBack();

  await stream.close();
  await pool.end();
  await proxy.close();
  await database.drop();
});
