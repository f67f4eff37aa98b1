import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { reservePort } from './reserve-port.js';
import { startEmbeddedPostgres } from '../../../scripts/postgres/server.ts';
import { databasesFolder } from './run-folder.js';
import { requireServiceAddress } from './service-address.js';

/**
 * Gives this test file a PostgreSQL server of its own, for tests that count what the whole server did: other test files
 * run at the same time on the server of the run, and so does autovacuum. Databases created after this are on it.
 *
 * @param settings more settings of the server
 * @returns stops the server; its folder goes with the folder of the run
 */
export async function startOwnPostgres(
  settings: Readonly<Record<string, string | number>> = {},
): Promise<() => Promise<void>> {
  const shared = requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL');
  const server = await startEmbeddedPostgres({
    home: join(databasesFolder(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER')), randomUUID()),
    preferredPort: await reservePort(),
    settings: { fsync: 'off', autovacuum: 'off', ...settings },
  });
  process.env['CAPSTAN_TEST_POSTGRES_URL'] = server.url;
  return async () => {
    process.env['CAPSTAN_TEST_POSTGRES_URL'] = shared;
    await server.stop();
  };
}
