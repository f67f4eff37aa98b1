import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { parseEnv } from '#libs/config';
import { QUEUE_CONNECTIONS } from '#libs/queue';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { startOwnPostgres } from '../../support/services/own-postgres.js';
import { refusalOf } from '../../support/services/refusal-of.js';
import type { TestDatabase } from '../../support/services/test-database.js';

/** PostgreSQL's default limit for clients: `max_connections` without the ones reserved for superusers. */
const DEFAULT_CONNECTIONS = 100 - 3;
const MIGRATION = 3;
const ISOLATED = 3;

it('two APIs, three workers, a migration and five isolated executions fit into the connections that PostgreSQL has by default', () => {
  const { poolSize } = parseEnv({ DATABASE_URL: 'postgres://localhost/capstan' }).database;
  const [ofApi, ofWorker] = [1, 2].map((more) => poolSize + QUEUE_CONNECTIONS + more);
  const all = 2 * (ofApi ?? 0) + 3 * (ofWorker ?? 0) + MIGRATION + 5 * ISOLATED;
  expect(all).toBeLessThanOrEqual(DEFAULT_CONNECTIONS);
});

describe('a PostgreSQL that has no connection left', () => {
  let database: TestDatabase;
  let stop: () => Promise<void>;
  const holders: Client[] = [];

  beforeAll(async () => {
    stop = await startOwnPostgres({ max_connections: 20 });
    database = await createSeededDatabase();
    for (;;) {
      const holder = new Client({ connectionString: database.url });
      holder.on('error', () => undefined);
      try {
        await holder.connect();
      } catch {
        return;
      }
      holders.push(holder);
    }
  });
  afterAll(async () => {
    await Promise.allSettled(holders.map((holder) => holder.end()));
    await stop();
  });

  it.each(['api', 'worker', 'migrate'] as const)(
    'ends %s with a line that names the setting, and how many connections a process takes',
    async (program) => {
      const said = await refusalOf(program, { DATABASE_URL: database.url });
      expect(said).toMatch(
        /^cannot start: PostgreSQL has no connection left .* DATABASE_POOL_SIZE \+ 9 .* max_connections .*\n$/,
      );
    },
  );
});
