import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from './reserve-port.js';
import { Client } from 'pg';
import { postgresAccount } from '../../../scripts/postgres/account.ts';
import { describeWithProgram } from './describe-with-program.js';
import { databasesFolder } from './run-folder.js';
import { requireServiceAddress } from './service-address.js';
import { waitFor } from './wait-for.js';

const PROGRAM = '/usr/sbin/pgbouncer';

export interface Pooler {
  /** The URL of a database of the server by way of the pooler. */
  readonly urlOf: (direct: string) => string;
  stop(): Promise<void>;
}

/** Describes a suite behind a real PgBouncer, like {@link describeWithProgram}. */
export function describeWithPgbouncer(name: string, suite: () => void): void {
  const isInstalled = spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0;
  describeWithProgram({ name: 'pgbouncer', isInstalled }, name, suite);
}

/**
 * Starts a PgBouncer with its own defaults in front of a server.
 * @param options lines of its section `[pgbouncer]`, such as `pool_mode = transaction`
 */
export async function startPgbouncer(direct: string, options: readonly string[]): Promise<Pooler> {
  const account = postgresAccount();
  const home = join(databasesFolder(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER')), randomUUID());
  const [file, users, port] = [join(home, 'pgbouncer.ini'), join(home, 'users.txt'), await reservePort()];
  const { hostname, port: serverPort, username, password } = new URL(direct);
  mkdirSync(home, { recursive: true });
  writeFileSync(users, `"${username}" "${password}"\n`);
  const lines = [
    ...['[databases]', `* = host=${hostname} port=${serverPort}`, '[pgbouncer]'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = plain'],
    ...[`auth_file = ${users}`, ...options],
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  if (account !== null) for (const path of [home, users, file]) chownSync(path, account.uid, account.gid);
  const pooler = spawn(PROGRAM, ['-q', file], { ...account, stdio: 'ignore', cwd: '/' });
  const ended = once(pooler, 'exit');
  const urlOf = (url: string): string => Object.assign(new URL(url), { port: String(port) }).href;
  await waitFor(() => isThere(urlOf(direct)), { description: 'PgBouncer to answer' });
  return {
    urlOf,
    stop: async () => {
      pooler.kill('SIGKILL');
      await ended;
    },
  };
}

async function isThere(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
