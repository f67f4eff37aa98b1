import pg from 'pg';
import type { CommandContext } from './run-until-stopped.ts';

/** Sets this lock apart from all other advisory locks. */
const LOCK = 4_711_100;

/**
 * Keeps a database that somebody has named for one command at a time: two would take each other's work. The
 * reservation ends with the connection that holds it, however the command ends.
 * @throws {Error} when another command has it
 */
export async function reserveDatabase(url: string, context: Pick<CommandContext, 'onStop'>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'capstan-command' });
  // The services notice on their own that their database has gone.
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
