import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStreamConflictError } from '#libs/executions';
import { openEventStream, type EventStreamLog } from '#libs/event-stream';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { InMemoryEvents, InMemoryEventStream } from '../../support/fakes/in-memory-event-stream.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';
import type { TestRedis } from '../../support/services/redis-database.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { BackendStream, EventStreamBackend } from './event-stream-backend.js';
import { createEventTable } from './event-table.js';
import { describeEventStream } from './event-stream.contract.js';
import { textDeltas } from './sample-events.js';

/** Connections are cut on purpose here. */
const ignoreFailures: EventStreamLog = () => undefined;

describe('an event stream in memory', () => {
  describeEventStream(startInMemory);
});

describe('an event stream in PostgreSQL', () => {
  describeEventStream(startPostgres);
});

describe('an event stream in PostgreSQL, beside a writer who has not committed yet', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createEventTable(database.url);
    pool = new Pool({ connectionString: database.url, max: 2 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('loses to it the number that it has taken, and nothing that is appended beside', async () => {
    const stream = openOnPoolOfItsOwn(database.url);
    const [taken, free] = [randomUUID(), randomUUID()];
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO execution_event (execution_id, sequence, event, data) VALUES ($1, 1, 'message_delta', '{}')`,
      [taken],
    );
    const appends = Promise.allSettled([taken, free].map((id) => stream.append(id, 1, textDeltas(2))));
    const waiting = `SELECT FROM pg_stat_activity
                      WHERE datname = current_database() AND wait_event = 'transactionid'`;
    const isAwaited = async (): Promise<boolean> => (await pool.query(waiting)).rowCount === 1;
    await waitFor(isAwaited, { description: 'the append to wait for the other writer' });
    await other.query('COMMIT');
    other.release();

    const [lost, appended] = await appends;
    expect(lost).toMatchObject({ status: 'rejected', reason: expect.any(EventStreamConflictError) });
    expect(appended).toMatchObject({ status: 'fulfilled' });
    expect(await stream.lastId(free)).toBe(2);
    await stream.close?.();
  });
});

describeWithRedis('an event stream in Redis', (redis) => {
  describeEventStream(() => startRedis(redis));
});

function startInMemory(): Promise<EventStreamBackend> {
  const events = new InMemoryEvents();
  return Promise.resolve({
    open: () => new InMemoryEventStream(events, true),
    cutWakeUps: null,
    appendUnknown: null,
    age: (executionId, byMs) => {
      const stream = events.streams.get(executionId);
      if (stream !== undefined) stream.appendedAt -= byMs;
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
}

async function startPostgres(): Promise<EventStreamBackend> {
  const database = await createTestDatabase();
  await createEventTable(database.url);
  const pool = new Pool({ connectionString: database.url, max: 1 });
  return {
    open: () => openOnPoolOfItsOwn(database.url),
    cutWakeUps: () =>
      waitUntilCut(async () => {
        const { rowCount } = await pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'capstan-event-listener'`,
        );
        return rowCount ?? 0;
      }),
    appendUnknown: async (executionId, id) => {
      await pool.query(
        `INSERT INTO execution_event (execution_id, sequence, event, data) VALUES ($1, $2, 'unheard_of', '{}')`,
        [executionId, id],
      );
    },
    age: async (executionId, byMs) => {
      await pool.query(
        'UPDATE execution_event SET created_at = created_at - make_interval(secs => $2) WHERE execution_id = $1',
        [executionId, byMs / 1_000],
      );
    },
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

function openOnPoolOfItsOwn(connectionString: string): BackendStream {
  const pool = new Pool({ connectionString, max: 2 });
  const stream = openEventStream({ backend: 'postgres', pool, log: ignoreFailures });
  const close = stream.close.bind(stream);
  return Object.assign(stream, { close: () => close().then(() => pool.end()) });
}

function startRedis({ url, prefix }: TestRedis): Promise<EventStreamBackend> {
  const administrator = new Redis(url);
  return Promise.resolve({
    open: () => openEventStream({ backend: 'redis', url, keyPrefix: prefix, log: ignoreFailures }),
    cutWakeUps: () =>
      waitUntilCut(() => killClients(administrator, [`${prefix}:subscriber`, `${prefix}:writer`])),
    appendUnknown: async (executionId, id) => {
      await administrator.xadd(`${prefix}:{${executionId}}`, `${id}-0`, 'event', 'unheard_of', 'data', '{}');
    },
    age: async (executionId, byMs) => {
      const key = `${prefix}:{${executionId}}`;
      await administrator.pexpire(key, (await administrator.pttl(key)) - byMs);
    },
    close: async () => {
      await administrator.quit();
    },
  });
}

/** Repeats `cut` until it has cut a connection, which may not be open yet. */
async function waitUntilCut(cut: () => Promise<number>): Promise<void> {
  await waitFor(async () => (await cut()) > 0, { description: 'a connection for wake-ups' });
}

async function killClients(administrator: Redis, names: readonly string[]): Promise<number> {
  const clients = String(await administrator.call('CLIENT', 'LIST')).split('\n');
  const ids = clients
    .filter((client) => names.some((name) => client.includes(` name=${name} `)))
    .map((client) => /^id=(\d+)/.exec(client)?.[1]);
  for (const id of ids) await administrator.call('CLIENT', 'KILL', 'ID', id ?? '');
  return ids.length;
}
