// Jest compiles this file to CommonJS and loads what it imports as Node does: by the name of the file, `.ts` included.
import { join } from 'node:path';
import { stopEmbeddedPostgres } from '../../../scripts/postgres/server.ts';
import { stopRedisServer } from './redis-server.ts';
import { removeRunFolder } from './run-folder.ts';

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
