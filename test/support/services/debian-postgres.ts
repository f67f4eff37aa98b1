import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from './reserve-port.js';
import { postgresAccount } from '../../../scripts/postgres/account.ts';
import { runAs } from '../../../scripts/postgres/programs.ts';
import { describeWithProgram } from './describe-with-program.js';
import { databasesFolder } from './run-folder.js';
import { requireServiceAddress } from './service-address.js';

/** The programs of PostgreSQL in Debian 12, a release with JIT compilation by default. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const PASSWORD = 'debian';

/** Describes a suite on Debian's PostgreSQL 15, like {@link describeWithProgram}. */
export function describeWithDebianPostgres(name: string, suite: () => void): void {
  const isInstalled = existsSync(join(PROGRAMS, 'postgres'));
  describeWithProgram({ name: "Debian's postgresql-15", isInstalled }, name, suite);
}

/**
 * Starts a PostgreSQL 15 with the defaults of Debian, except for settings that speed up tests. Databases created after this
 * are on it.
 *
 * @returns a function that stops the server; its folder is removed with that of the run
 */
export async function startDebianPostgres(): Promise<() => Promise<void>> {
  const shared = requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL');
  const account = postgresAccount();
  const home = join(databasesFolder(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER')), randomUUID());
  const [data, passwordFile, port] = [join(home, 'data'), join(home, 'password'), await reservePort()];
  mkdirSync(home, { recursive: true });
  writeFileSync(passwordFile, PASSWORD);
  if (account !== null) for (const path of [home, passwordFile]) chownSync(path, account.uid, account.gid);
  const run = async (program: string, args: readonly string[]): Promise<void> => {
    const { hasSucceeded, output } = await runAs(account, join(PROGRAMS, program), args);
    if (!hasSucceeded) throw new Error(`${program} failed: ${output}`);
  };
  const cluster = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'];
  await run('initdb', [...cluster, '--no-sync', `--pwfile=${passwordFile}`, `--pgdata=${data}`]);
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
  const flags = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value || "''"}`);
  const start = ['start', '-D', data, '-l', join(home, 'postgres.log'), '-o', flags.join(' ')];
  await run('pg_ctl', [...start, '-w', '-t', '60', '-s']);
  process.env['CAPSTAN_TEST_POSTGRES_URL'] = `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  return async () => {
    process.env['CAPSTAN_TEST_POSTGRES_URL'] = shared;
    await run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w', '-s']);
  };
}
