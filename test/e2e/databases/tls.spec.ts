import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { join } from 'node:path';
import { programFile } from '../../../scripts/build/programs.ts';
import { ApiClient } from '../../support/services/api-client.js';
import { withAdministrator } from '../../support/services/database-administrator.js';
import { Deployment } from '../../support/services/deployment.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { refusalOf } from '../../support/services/refusal-of.js';
import { requireServiceAddress } from '../../support/services/service-address.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import {
  describeWithOpenssl,
  startTlsPostgres,
  type TlsPostgres,
} from '../../support/services/tls-postgres.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');

describeWithOpenssl('a PostgreSQL that takes connections with TLS only', () => {
  /** The URL of a server without TLS. */
  let plainUrl: string;
  let server: TlsPostgres;
  let database: TestDatabase;

  beforeAll(async () => {
    plainUrl = requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL');
    server = await startTlsPostgres();
    database = await createSeededDatabase();
  });
  afterAll(() => server.stop());

  /** The URL of the database with other parameters and another host name. */
  const urlWith = (parameters: Record<string, string>, hostname = '127.0.0.1'): string =>
    Object.assign(new URL(database.url), { search: new URLSearchParams(parameters).toString(), hostname })
      .href;

  it('carries a run, its events and its queue, and every connection to it is encrypted', async () => {
    const settings = { DATABASE_DIRECT_URL: database.url };
    // The database stays for the other tests.
    const kept = { url: database.url, drop: () => Promise.resolve() };
    const deployment = await Deployment.on(kept, 'postgres', settings);
    try {
      const [{ url }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
      const api = new ApiClient(url);
      const { id } = await api.submit({ input: '5 cases of roma tomatoes for Friday, please' });
      expect((await api.events(id)).at(-1)?.event).toBe('result');
      expect(await api.settled(id)).toMatchObject({ status: 'completed' });
      const connections = await withAdministrator((administrator) =>
        administrator.query<{ name: string; is_encrypted: boolean }>(
          `SELECT application_name AS name, bool_and(ssl) AS is_encrypted FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
            WHERE application_name LIKE 'capstan%' GROUP BY 1 ORDER BY 1`,
        ),
      );
      const names = connections.rows.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['capstan-api', 'capstan-queue', 'capstan-worker']));
      expect(names.length).toBeGreaterThanOrEqual(5);
      expect(connections.rows.filter((row) => !row.is_encrypted)).toEqual([]);
    } finally {
      await deployment.close();
    }
  });

  it.each<[string, () => string]>([
    [
      'require and the file of the authority',
      () => urlWith({ sslmode: 'require', sslrootcert: server.authority }),
    ],
    ['no-verify', () => urlWith({ sslmode: 'no-verify' })],
    ['require as libpq has it', () => urlWith({ sslmode: 'require', uselibpqcompat: 'true' })],
  ])('takes %s', async (_what, url) => {
    const env = { DATABASE_URL: url() };
    const { stdout } = await execa(process.execPath, [join(ROOT, programFile('migrate'))], { env });
    expect(stdout).toBe('database is up to date');
  });

  it.each<[string, () => string, RegExp]>([
    ['no sslmode', () => urlWith({}), /takes connections with TLS only; add sslmode=verify-full/],
    ['require without its authority', () => urlWith({ sslmode: 'require' }), /sslrootcert/],
    [
      'the file of another authority',
      () => urlWith({ sslmode: 'verify-full', sslrootcert: server.otherAuthority }),
      /no authority that this process knows has signed the certificate/,
    ],
    [
      'a host name that the certificate is not for',
      () => urlWith({ sslmode: 'require', sslrootcert: server.authority }, 'localhost'),
      /certificate of the server is for another host name/,
    ],
    [
      'a file of an authority that is not there',
      () => urlWith({ sslmode: 'verify-full', sslrootcert: '/nowhere/ca.pem' }),
      /there is no file \/nowhere\/ca\.pem/,
    ],
    ['TLS, of a server that has none', () => `${plainUrl}?sslmode=require`, /asks for TLS by sslmode/],
  ])('is refused with a line that says why by %s', async (_what, url, words) => {
    const said = await refusalOf('migrate', { DATABASE_URL: url() });
    expect(said).toMatch(words);
    expect(said).toContain('DATABASE_URL');
  });

  it.each(['api', 'worker'] as const)(
    'is refused by %s too where the authority is another one',
    async (program) => {
      const url = urlWith({ sslmode: 'verify-full', sslrootcert: server.otherAuthority });
      expect(await refusalOf(program, { DATABASE_URL: url })).toContain('sslrootcert');
    },
  );
});
