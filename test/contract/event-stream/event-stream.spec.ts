import { describe } from '@jest/globals';
import { openEventStream, type EventStreamLog } from '#libs/event-stream';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { InMemoryEvents, InMemoryEventStream } from '../../support/fakes/in-memory-event-stream.js';
import { createTestDatabase } from '../../support/services/test-database.js';
import type { TestRedis } from '../../support/services/redis-database.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { BackendStream, EventStreamBackend } from './event-stream-backend.js';
import { createEventTable } from './event-table.js';
import { describeEventStream } from './event-stream.contract.js';

/** Connections are cut on purpose here. */
const ignoreFailures: EventStreamLog = () => undefined;

describe('an event stream in memory', () => {
  describeEventStream(startInMemory);
});

describe('an event stream in PostgreSQL', () => {
  describeEventStream(startPostgres);
});

describeWithRedis('an event stream in Redis', (redis) => {
  describeEventStream(() => startRedis(redis));
});

function startInMemory(): Promise<EventStreamBackend> {
  const events = new InMemoryEvents();
  return Promise.resolve({
    open: () => new InMemoryEventStream(events),
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
    cutWakeUps: () => waitUntilCut(() => killClients(administrator, `${prefix}:subscriber`)),
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

/** Counts a connection that was not there yet as not cut. */
async function waitUntilCut(cut: () => Promise<number>): Promise<void> {
  await waitFor(async () => (await cut()) > 0, { description: 'a connection for wake-ups' });
}

async function killClients(administrator: Redis, name: string): Promise<number> {
  const clients = String(await administrator.call('CLIENT', 'LIST')).split('\n');
  const ids = clients
    .filter((client) => client.includes(` name=${name} `))
    .map((client) => /^id=(\d+)/.exec(client)?.[1]);
  for (const id of ids) await administrator.call('CLIENT', 'KILL', 'ID', id ?? '');
  return ids.length;
}
