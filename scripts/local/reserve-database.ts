import pg from 'pg';
import type { CommandContext } from './run-until-stopped.ts';

/** Distinguishes this lock from other advisory locks. */
const LOCK = 4_711_100;

/**
 * Reserves a database named by the user for one command, since two would process each other's jobs. The reservation ends
 * with its connection, even after a crash.
 * @throws {Error} when another command holds it
 */
export async function reserveDatabase(url: string, context: Pick<CommandContext, 'onStop'>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'capstan-command' });
  // Services detect the loss of their database themselves.
  client.on('error', () => undefined);
  await client.connect();
  context.onStop(() => client.end().catch(() => undefined));
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [LOCK]);
  if (rows[0]?.free === true) return;
  const { host, pathname } = new URL(url);
  throw new Error(
    `Another quickstart or npm run dev uses the database of DATABASE_URL (${host}${pathname}): stop it, ` +
      `or give this one a database of its own.`,
  );
}
