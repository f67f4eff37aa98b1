import { Client, Pool, type QueryResult } from 'pg';
import { requireServiceAddress } from './service-address.js';

/** Runs `work` on a connection to the maintenance database of this run's PostgreSQL, then closes it. */
export async function withAdministrator<T>(work: (administrator: Client) => Promise<T>): Promise<T> {
  const administrator = new Client({ connectionString: requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL') });
  await administrator.connect();
  try {
    return await work(administrator);
  } finally {
    await administrator.end();
  }
}

/** One connection for each server, kept between test files, because opening one takes longer than most statements. */
const pools = new Map<string, Pool>();

/** Runs one statement in the maintenance database of this run's PostgreSQL, outside a transaction. */
export function administrate(statement: string): Promise<QueryResult> {
  const connectionString = requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL');
  let pool = pools.get(connectionString);
  if (pool === undefined) {
    pool = new Pool({ connectionString, max: 1, allowExitOnIdle: true });
    // The server of a single test file may end while the connection is idle.
    pool.on('error', () => undefined);
    pools.set(connectionString, pool);
  }
  return pool.query(statement);
}

/** The URL of another database of the same server. */
export function databaseUrl(name: string): string {
  const url = new URL(requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL'));
  url.pathname = `/${name}`;
  return url.toString();
}
