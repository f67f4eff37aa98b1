import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { postgresAccount, type Account } from './account.ts';
import { initialiseCluster } from './cluster.ts';
import { readPostmaster } from './postmaster.ts';
import { postgresPrograms, runAs, type PostgresPrograms } from './programs.ts';

const USER = 'postgres';
const DATABASE = 'postgres';
const HOST = '127.0.0.1';
const MAX_ATTEMPTS = 5;

type Settings = Readonly<Record<string, string | number>>;

export interface EmbeddedPostgresOptions {
  /** Folder for data, log and password; the server's account must be able to enter its parents. */
  readonly home: string;
  /** Port to try first; if it is in use, another free one is taken. */
  readonly preferredPort: number;
  /** Server settings, e.g. `{fsync: 'off'}`. */
  readonly settings?: Settings;
}

export interface EmbeddedPostgres {
  /** URL of the maintenance database, with the superuser's password. */
  readonly url: string;
  readonly port: number;
  /** Process id of the postmaster. */
  readonly pid: number;
  readonly dataDirectory: string;
  readonly logFile: string;
  /** Whether the server was already running. */
  readonly wasRunning: boolean;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the PostgreSQL server with its data in `home`, or joins the running one, which a killed parent leaves behind. It
 * listens on 127.0.0.1 only, has its own session, so that Ctrl-C does not reach it, and ends only by `stop`.
 * @throws {Error} with the last lines of the server's log when it does not start within 60 s
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { home, preferredPort, settings = {} } = options;
  const account = postgresAccount();
  const programs = postgresPrograms(account);
  const dataDirectory = join(home, 'data');
  const logFile = join(home, 'postgres.log');

  mkdirSync(home, { recursive: true, mode: 0o755 });
  const password = readOrCreatePassword(join(home, 'password'));
  if (!existsSync(join(dataDirectory, 'PG_VERSION'))) {
    await initialiseCluster({ programs, account, dataDirectory, user: USER, password });
  }

  const running = readPostmaster(dataDirectory);
  const wasRunning = running?.kind === 'ours';
  if (running?.kind === 'stale') rmSync(running.pidFile, { force: true });
  if (!wasRunning) await startServer({ programs, account, dataDirectory, logFile, preferredPort, settings });

  const postmaster = readPostmaster(dataDirectory);
  if (postmaster?.kind !== 'ours') {
    throw new Error(`Embedded PostgreSQL ended right after its start: ${lastLines(logFile)}`);
  }
  return {
    url: `postgresql://${USER}:${password}@${HOST}:${postmaster.port}/${DATABASE}`,
    port: postmaster.port,
    pid: postmaster.pid,
    dataDirectory,
    logFile,
    wasRunning,
    stop: () => stopEmbeddedPostgres(home),
  };
}

/** Stops the server with its data in `home`, if it runs: open transactions are rolled back, data is flushed. */
export async function stopEmbeddedPostgres(home: string): Promise<void> {
  const dataDirectory = join(home, 'data');
  if (readPostmaster(dataDirectory)?.kind !== 'ours') return;
  const account = postgresAccount();
  const { pgCtl } = postgresPrograms(account);
  const stop = (mode: string): Promise<{ hasSucceeded: boolean }> =>
    runAs(account, pgCtl, ['stop', '-D', dataDirectory, '-m', mode, '-w', '-t', '20', '-s']);
  if (!(await stop('fast')).hasSucceeded) await stop('immediate');
}

interface ServerStart {
  readonly programs: PostgresPrograms;
  readonly account: Account | null;
  readonly dataDirectory: string;
  readonly logFile: string;
  readonly preferredPort: number;
  readonly settings: Settings;
}

/** The server itself detects a port in use: a check before the start would race with other processes. */
async function startServer(start: ServerStart): Promise<void> {
  const { programs, account, dataDirectory, logFile, preferredPort, settings } = start;
  let port = preferredPort;
  for (let attempt = 1; ; attempt += 1) {
    writeFileSync(logFile, '');
    if (account !== null) chownSync(logFile, account.uid, account.gid);
    const flags = serverFlags({ ...settings, port, listen_addresses: HOST, unix_socket_directories: '' });
    const { hasSucceeded, output } = await runAs(account, programs.pgCtl, [
      ...['start', '-D', dataDirectory, '-l', logFile, '-o', flags],
      ...['-w', '-t', '60', '-s'],
    ]);
    if (hasSucceeded) return;
    const isPortTaken = /could not bind|address already in use/iu.test(readFileSync(logFile, 'utf8'));
    if (!isPortTaken || attempt === MAX_ATTEMPTS) {
      throw new Error(`Embedded PostgreSQL did not start: ${lastLines(logFile) || output.trim()}`);
    }
    port = await getPort({ host: HOST, port: portsAfter(port) });
  }
}

/** Consecutive ports, so that several checkouts use ports that are easy to remember. */
function* portsAfter(port: number): Generator<number> {
  for (let next = port + 1; next <= Math.min(port + 200, 65_535); next += 1) yield next;
}

/** Flags without characters special to a shell, since pg_ctl passes them through one. */
function serverFlags(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => {
      if (!/^[\w.]+$/u.test(name) || !/^[\w.:%/+-]*$/u.test(String(value))) {
        throw new Error(`A PostgreSQL setting must be plain: ${name}=${value}`);
      }
      return `-c ${name}=${value}`;
    })
    .join(' ');
}

function readOrCreatePassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
}
