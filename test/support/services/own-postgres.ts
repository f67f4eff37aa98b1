import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { reservePort } from './reserve-port.js';
import { startEmbeddedPostgres } from '../../../scripts/postgres/server.ts';
import { databasesFolder } from './run-folder.js';
import { requireServiceAddress } from './service-address.js';

/**
 * Gives this test file a PostgreSQL server of its own, for tests that count the work of the whole server: on the server of
 * the run, other test files and autovacuum work at the same time. Databases created after this are on it.
 *
 * @param settings further settings of the server
 * @returns a function that stops the server; its folder is removed with that of the run
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
