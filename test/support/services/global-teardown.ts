// Jest compiles this file to CommonJS, so what it imports is plain .mjs.
import { join } from 'node:path';
import { stopEmbeddedPostgres } from '../../../scripts/local/embedded-postgres.mjs';
import { stopRedisServer } from './redis-server.mjs';
import { removeRunFolder } from './run-folder.mjs';

/** Stops what `global-setup.ts` started in this process, once, and removes its folder. */
export default async function globalTeardown(): Promise<void> {
  const folder = process.env.CAPSTAN_TEST_RUN_FOLDER;
  if (folder === undefined || process.env.CAPSTAN_TEST_RUN_OWNER !== String(process.pid)) return;
  delete process.env.CAPSTAN_TEST_RUN_FOLDER;
  delete process.env.CAPSTAN_TEST_POSTGRES_URL;
  delete process.env.CAPSTAN_TEST_REDIS_URL;
  await Promise.all([stopEmbeddedPostgres(join(folder, 'postgres')), stopRedisServer(folder)]);
  removeRunFolder(folder);
}
