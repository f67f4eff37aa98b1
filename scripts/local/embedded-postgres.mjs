import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from './postgres-account.mjs';
import { postgresBinaries } from './postgres-binaries.mjs';
import { initialiseCluster } from './postgres-cluster.mjs';
import { runProgram } from './run-program.mjs';
import { nextFreePort } from './ports.mjs';
import { readPostmaster } from './postmaster.mjs';

const USER = 'postgres';
const DATABASE = 'postgres';

/**
 * Starts the PostgreSQL server whose data lives in `home`, or joins the one that already runs there (a killed parent
 * leaves it running). The server listens on 127.0.0.1 only, is its own session (Ctrl-C in a terminal does not reach
 * it) and ends only by `stop`.
 *
 * @param {object} options
 * @param {string} options.home folder for data, log and password; its parents must let the server's account in
 * @param {number} options.preferredPort the next free one is taken when it is in use
 * @param {Readonly<Record<string, string | number>>} [options.settings] server settings, e.g. `{fsync: 'off'}`
 * @returns {Promise<import('./embedded-postgres.mjs').EmbeddedPostgres>}
 * @throws {Error} with the last lines of the server's log when it does not come up within 60 s
 */
export async function startEmbeddedPostgres({ home, preferredPort, settings = {} }) {
  const account = postgresAccount();
  const programs = postgresBinaries(account);
  const dataDirectory = join(home, 'data');
  const logFile = join(home, 'postgres.log');

  mkdirSync(home, { recursive: true, mode: 0o755 });
  const password = readOrCreatePassword(join(home, 'password'));
  if (!existsSync(join(dataDirectory, 'PG_VERSION'))) {
    await initialiseCluster({ programs, account, dataDirectory, user: USER, password });
  }

  const running = readPostmaster(dataDirectory);
  const wasRunning = running !== null && running.kind === 'ours';
  if (running !== null && running.kind === 'stale') rmSync(running.pidFile, { force: true });
  if (!wasRunning) await startServer({ programs, account, dataDirectory, logFile, preferredPort, settings });

  const postmaster = readPostmaster(dataDirectory);
  if (postmaster === null || postmaster.kind !== 'ours') {
    throw new Error(`Embedded PostgreSQL ended right after its start: ${lastLines(logFile)}`);
  }
  return {
    url: databaseUrl(password, postmaster.port),
    port: postmaster.port,
    pid: postmaster.pid,
    dataDirectory,
    logFile,
    wasRunning,
    stop: () => stopEmbeddedPostgres(home),
  };
}

/**
 * Stops the server whose data lives in `home`: open transactions are rolled back, data is flushed. Does nothing when
 * none runs there.
 * @param {string} home
 * @returns {Promise<void>}
 */
export async function stopEmbeddedPostgres(home) {
  const dataDirectory = join(home, 'data');
  if (readPostmaster(dataDirectory)?.kind !== 'ours') return;
  const account = postgresAccount();
  const { pgCtl } = postgresBinaries(account);
  const stop = (/** @type {string} */ mode) =>
    runProgram(pgCtl, ['stop', '-D', dataDirectory, '-m', mode, '-w', '-t', '20', '-s'], account);
  if ((await stop('fast')).code !== 0) await stop('immediate');
}

/**
 * @param {object} start
 * @param {{pgCtl: string}} start.programs
 * @param {{uid: number, gid: number} | null} start.account
 * @param {string} start.dataDirectory
 * @param {string} start.logFile
 * @param {number} start.preferredPort
 * @param {Readonly<Record<string, string | number>>} start.settings
 */
async function startServer({ programs, account, dataDirectory, logFile, preferredPort, settings }) {
  let port = preferredPort;
  for (let attempt = 1; ; attempt += 1) {
    port = await nextFreePort(port);
    writeFileSync(logFile, '');
    if (account !== null) chownSync(logFile, account.uid, account.gid);
    const flags = serverFlags({
      ...settings,
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    });
    const result = await runProgram(
      programs.pgCtl,
      ['start', '-D', dataDirectory, '-l', logFile, '-o', flags, '-w', '-t', '60', '-s'],
      account,
    );
    if (result.code === 0) return;
    // Somebody took the port between the look and the start.
    const lostTheRace = /could not bind|address already in use/iu.test(readFileSync(logFile, 'utf8'));
    if (!lostTheRace || attempt === 5) {
      throw new Error(`Embedded PostgreSQL did not start: ${lastLines(logFile) || result.output.trim()}`);
    }
    port += 1;
  }
}

/** @param {Readonly<Record<string, string | number>>} settings @returns {string} for a shell, as pg_ctl hands it to one */
function serverFlags(settings) {
  return Object.entries(settings)
    .map(([name, value]) => {
      if (!/^[\w.]+$/u.test(name) || !/^[\w.:%/+-]*$/u.test(String(value))) {
        throw new Error(`A PostgreSQL setting must be plain: ${name}=${value}`);
      }
      return `-c ${name}=${value}`;
    })
    .join(' ');
}

/** @param {string} file @returns {string} */
function readOrCreatePassword(file) {
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

/** @param {string} password @param {number} port */
function databaseUrl(password, port) {
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** @param {string} file */
function lastLines(file) {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
}
