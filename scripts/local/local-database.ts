import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { withExclusiveLock } from '../bootstrap/exclusive-lock.mjs';
import { identifyProcess, isStillRunning, type ProcessIdentity } from '../bootstrap/process-identity.mjs';
import { postgresAccount } from '../postgres/account.ts';
import { assertPrivateDirectory } from '../postgres/private-directory.ts';
import { readPostmaster } from '../postgres/postmaster.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres, type EmbeddedPostgres } from '../postgres/server.ts';

const PREFERRED_PORT = 54_320;

export interface LocalDatabase extends EmbeddedPostgres {
  /** Stops the server when no other command uses it. */
  readonly leave: () => Promise<void>;
}

/**
 * Joins the embedded PostgreSQL of this checkout, and starts it if necessary. Several commands may share it: the last one to
 * leave stops it, and killed commands do not count.
 * @param database created if missing
 */
export async function joinLocalDatabase(root: string, database: string): Promise<LocalDatabase> {
  const home = databaseHome(root);
  const lock = join(home, 'users.lock');
  const users = join(home, 'users');
  const me = join(users, `${process.pid}.json`);
  mkdirSync(users, { recursive: true });

  const postgres = await withExclusiveLock(lock, async () => {
    const server = await startEmbeddedPostgres({
      home,
      preferredPort: PREFERRED_PORT,
      settings: { max_connections: 200 },
    });
    writeFileSync(me, JSON.stringify(identifyProcess(process.pid)));
    return server;
  });
  const leave = (): Promise<void> =>
    withExclusiveLock(lock, async () => {
      rmSync(me, { force: true });
      if (!hasLivingUsers(users)) await postgres.stop();
    });
  try {
    return { ...postgres, url: await provideDatabase(postgres.url, database), leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

/**
 * Stops the embedded PostgreSQL of this checkout if no running command uses it, for example after a kill.
 * @returns whether it was stopped
 */
export async function stopUnusedDatabase(root: string): Promise<boolean> {
  const home = databaseHome(root);
  if (!existsSync(join(home, 'data')) || !isRunningIn(home)) return false;
  return withExclusiveLock(join(home, 'users.lock'), async () => {
    const users = join(home, 'users');
    mkdirSync(users, { recursive: true });
    if (hasLivingUsers(users)) return false;
    await stopEmbeddedPostgres(home);
    return true;
  });
}

function isRunningIn(home: string): boolean {
  return readPostmaster(join(home, 'data'))?.kind === 'ours';
}

/** In the repository; where PostgreSQL's account cannot enter it, in a fixed folder of the temporary directory. */
function databaseHome(root: string): string {
  const account = postgresAccount();
  if (account === null || spawnSync('test', ['-x', root], account).status === 0) {
    return makePassable(join(root, '.local'), 'postgres');
  }
  const name = `capstan-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
  const folder = join(tmpdir(), name);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  assertPrivateDirectory(folder);
  return makePassable(folder, 'postgres');
}

function makePassable(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  // Set explicitly, regardless of the umask: PostgreSQL's account must pass through both.
  if (postgresAccount() !== null) for (const path of [parent, folder]) chmodSync(path, 0o755);
  return folder;
}

function hasLivingUsers(users: string): boolean {
  return readdirSync(users).some((name) => {
    const file = join(users, name);
    try {
      if (isStillRunning(JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity)) return true;
    } catch {
      // An unreadable mark belongs to no running command.
    }
    rmSync(file, { force: true });
    return false;
  });
}

/** @returns the URL of the application's database, created if missing */
async function provideDatabase(maintenanceUrl: string, database: string): Promise<string> {
  const client = new pg.Client({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  } catch (error) {
    // Another command created it at the same time.
    if (!(error instanceof pg.DatabaseError) || error.code !== '42P04') throw error;
  } finally {
    await client.end();
  }
  const url = new URL(maintenanceUrl);
  url.pathname = `/${database}`;
  return url.toString();
}
