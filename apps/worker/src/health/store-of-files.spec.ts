import type { FactoryProvider } from '@nestjs/common';
import { expect, it } from '@jest/globals';
import { parseEnv } from '#libs/config';
import { healthProviders } from './health.providers.js';
import { WorkerHealth } from './worker-health.js';

const well = { check: () => Promise.resolve(), checkServer: () => Promise.resolve() };
const failing = { check: () => Promise.reject(new Error('away')) };

function healthOf(roles: string, blobs: object | null): WorkerHealth {
  const config = parseEnv({ DATABASE_URL: 'postgres://u:p@localhost/x', WORKER_ROLES: roles });
  const provider = healthProviders.find(
    (each) => 'provide' in each && each.provide === WorkerHealth,
  ) as FactoryProvider<WorkerHealth>;
  const database = { query: () => Promise.resolve([]) };
  return provider.useFactory(config, database, well, well, blobs, well, undefined) as WorkerHealth;
}

it.each<[roles: string, store: string, blobs: object | null, isReady: boolean]>([
  ['ingest', 'a store that fails', failing, false],
  ['ingest', 'a store that works', well, true],
  ['ingest', 'no store', null, true],
  ['ingest,housekeeping', 'a store that fails', failing, true],
  ['execute,webhooks,housekeeping,ingest', 'a store that fails', failing, true],
])('a worker with %s and %s is ready as far as it can be', async (roles, _store, blobs, isReady) => {
  const health = healthOf(roles, blobs);
  const seen = await health.checkReady().then(
    () => true,
    () => false,
  );
  expect(seen).toBe(isReady);
  expect(health.isLive).toBe(true);
});
