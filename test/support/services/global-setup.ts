// Jest compiles this file to CommonJS and loads what it imports as Node does: by the name of the file, `.ts` included.
import { join } from 'node:path';
import { reservePort } from './reserve-port.ts';
import { startEmbeddedPostgres } from '../../../scripts/postgres/server.ts';
import { isRedisInstalled, startRedisServer } from './redis-server.ts';
import { databasesFolder } from './run-folder.ts';
import beginRun from './run-setup.ts';

/**
 * Starts one PostgreSQL and one Redis for the whole run, even if several projects use this file. Sets
 * CAPSTAN_TEST_POSTGRES_URL and CAPSTAN_TEST_REDIS_URL (unset without redis-server, which fails under CI).
 */
export default async function globalSetup(): Promise<void> {
  if (process.env.CAPSTAN_TEST_POSTGRES_URL !== undefined) return;
  const hasRedis = isRedisInstalled();
  if (!hasRedis) reportMissingRedis();

  const folder = beginRun();
  const [postgres, redisUrl] = await Promise.all([
    startEmbeddedPostgres({
      home: join(databasesFolder(folder), 'shared'),
      preferredPort: await reservePort(),
      // Durability is off, as the data lives no longer than the run.
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 300 },
    }),
    hasRedis ? startRedisServer(folder) : undefined,
  ]);
  process.env.CAPSTAN_TEST_POSTGRES_URL = postgres.url;
  if (redisUrl !== undefined) process.env.CAPSTAN_TEST_REDIS_URL = redisUrl;
}

function reportMissingRedis(): void {
  const message = 'redis-server is not installed (Debian: apt-get install redis-server)';
  if ((process.env.CI ?? '') !== '') throw new Error(`${message}; CI runs every Redis suite.`);
  process.stderr.write(`${message}: the Redis suites are skipped.\n`);
}
