import { Client } from 'pg';
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

/** The URL of another database of the same server. */
export function databaseUrl(name: string): string {
  const url = new URL(requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL'));
  url.pathname = `/${name}`;
  return url.toString();
}
