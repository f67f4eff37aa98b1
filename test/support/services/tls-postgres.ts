import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from '../../../scripts/postgres/account.ts';
import { withAdministrator } from './database-administrator.js';
import { describeWithProgram } from './describe-with-program.js';
import { startOwnPostgres } from './own-postgres.js';
import { databasesFolder } from './run-folder.js';
import { requireServiceAddress } from './service-address.js';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

export interface TlsPostgres {
  /** The file with the certificate of the authority that signed the server's certificate for 127.0.0.1. */
  readonly authority: string;
  /** The file with the certificate of another authority. */
  readonly otherAuthority: string;
  stop(): Promise<void>;
}

/** Describes a suite that creates certificates, like {@link describeWithProgram}. */
export function describeWithOpenssl(name: string, suite: () => void): void {
  const isInstalled = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;
  describeWithProgram({ name: 'openssl', isInstalled }, name, suite);
}

/** Starts a PostgreSQL that requires TLS. Databases created after this are on it and are used with `verify-full`. */
export async function startTlsPostgres(): Promise<TlsPostgres> {
  const folder = join(databasesFolder(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER')), randomUUID());
  mkdirSync(folder, { recursive: true });
  const [authority, otherAuthority] = [makeAuthority(folder, 'ours'), makeAuthority(folder, 'other')];
  const server = makeCertificate(folder, 'server', [
    ...['-CA', authority, '-CAkey', keyOf(folder, 'ours')],
    ...['-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  const account = postgresAccount();
  if (account !== null)
    for (const path of [folder, server, keyOf(folder, 'server')]) chownSync(path, account.uid, account.gid);
  const settings = { ssl: 'on', ssl_cert_file: server, ssl_key_file: keyOf(folder, 'server') };
  const stop = await startOwnPostgres(settings);
  await withAdministrator(async (administrator) => {
    const { rows } = await administrator.query<{ hba_file: string }>('SHOW hba_file');
    const [file = ''] = rows.map(({ hba_file: path }) => path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^host\b/gmu, 'hostssl'));
    await administrator.query('SELECT pg_reload_conf()');
  });
  const url = new URL(requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL'));
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: authority }).toString();
  process.env['CAPSTAN_TEST_POSTGRES_URL'] = url.href;
  return { authority, otherAuthority, stop };
}

function makeAuthority(folder: string, name: string): string {
  return makeCertificate(folder, name, ['-addext', 'keyUsage=critical,keyCertSign']);
}

function makeCertificate(folder: string, name: string, args: readonly string[]): string {
  const file = join(folder, `${name}.pem`);
  const out = ['-keyout', keyOf(folder, name), '-out', file, '-subj', `/CN=${name}`];
  execFileSync('openssl', ['req', '-x509', ...KEY, ...out, ...args], { stdio: 'ignore' });
  return file;
}

function keyOf(folder: string, name: string): string {
  return join(folder, `${name}.key`);
}
