import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { administer, databaseUrl } from './administer.ts';

const PROGRAM = fileURLToPath(new URL('./pglite-program.mjs', import.meta.url));

/** An empty database with pgvector. */
export interface PgvectorServer {
  readonly url: string;
  /** Connections at the same time that see transactions of their own. */
  readonly poolSize: number;
  readonly isNative: boolean;
  /** Ends it, with all that is in it. */
  readonly stop: () => Promise<void>;
}

/**
 * Opens a database with pgvector, which the PostgreSQL that npm brings does not have.
 *
 * @param url of a server with pgvector, as a role that may make databases and extensions there: a new database is made in
 *   it. Left out, it is PGlite behind a socket, in a process of its own.
 */
export function openPgvector(url = process.env['PGVECTOR_URL']): Promise<PgvectorServer> {
  return url === undefined || url === '' ? startPglite() : createOn(url);
}

async function startPglite(): Promise<PgvectorServer> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  return { url, poolSize: 1, isNative: false, stop };
}

async function createOn(server: string): Promise<PgvectorServer> {
  const name = `capstan_vectors_${randomBytes(6).toString('hex')}`;
  const url = databaseUrl(server, name);
  await administer(server, `CREATE DATABASE ${name}`);
  const stop = (): Promise<void> => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    await administer(url, 'CREATE EXTENSION vector');
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, poolSize: 2, isNative: true, stop };
}
