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
  /** Number of concurrent connections with separate transactions. */
  readonly poolSize: number;
  readonly isNative: boolean;
  /** Ends the server and deletes its data. */
  readonly stop: () => Promise<void>;
}

/**
 * Opens a database with pgvector, which npm's PostgreSQL lacks.
 * @param url URL of a server with pgvector and a role that may create databases and extensions; a new database is created
 * there. By default PGlite behind a socket, in a child process.
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
