import { expect, it } from '@jest/globals';
import { parseEnv } from '#libs/config';
import type { EventStreamHealth } from '#libs/event-stream';
import type { BlobStore } from '#libs/knowledge';
import type { QueueHealth } from '#libs/queue';
import type { DataSource } from 'typeorm';
import type { JobSender } from '../dispatch/job-sender.js';
import { ConnectedHealth } from './connected-health.js';
import type { WorkerHealth } from './worker-health.js';

const well = { check: () => Promise.resolve(), checkServer: () => Promise.resolve() };
const failing = { check: () => Promise.reject(new Error('away')) };

function healthOf(roles: string, blobs: object | null): WorkerHealth {
  const config = parseEnv({ DATABASE_URL: 'postgres://u:p@localhost/x', WORKER_ROLES: roles });
  const database = { query: () => Promise.resolve([]) };
  return new ConnectedHealth(
    config,
    database as unknown as DataSource,
    well as unknown as QueueHealth,
    well as unknown as EventStreamHealth,
    blobs as BlobStore | null,
    { watch: well } as unknown as JobSender,
  );
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
