import { AppError } from '#libs/kernel';
import pg from 'pg';

/** A busy pooler may give the same session to one client several times in a row. */
const LOOKS = 20;
const ANSWER_WITHIN_MS = 5_000;
/** A setting of ours that means nothing to PostgreSQL, and is there only where those of a new session arrive. */
const MARK = 'capstan.session';

type SettingOfUrl = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

interface Session {
  readonly id: number;
  readonly mark: string | null;
}

/**
 * Throws `DATABASE_POOLED` where a URL leads to a pooler that drops the settings of a session, or gives each transaction
 * another one: locks, LISTEN and prepared statements would be those of another client.
 */
export async function assertSessions(url: string, setting: SettingOfUrl): Promise<void> {
  const limits = { connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
  const asked = { application_name: 'capstan-check', options: `-c ${MARK}=kept` };
  const open = () => new pg.Client({ connectionString: url, ...asked, ...limits });
  const [one, other] = [open(), open()];
  for (const client of [one, other]) client.on('error', () => undefined);
  try {
    await one.connect();
    const { id, mark } = await sessionOf(one);
    if (mark !== 'kept') throw pooled(setting);
    if (isServedBy(one, id)) return;
    await other.connect();
    if (await doShareSessions(one, other, id)) throw pooled(setting);
  } finally {
    await Promise.allSettled([one.end(), other.end()]);
  }
}

/** True where the server that greeted a client is the one that runs its statements: nothing stands between them. */
function isServedBy(client: pg.Client, id: number): boolean {
  return (client as unknown as { readonly processID: number | null }).processID === id;
}

/** A pooler of sessions keeps to one for each client; a pooler of transactions hands on what the other has left. */
async function doShareSessions(one: pg.Client, other: pg.Client, own: number): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    await other.query('BEGIN');
    // While it is in a transaction, the session is its own; where that is the only one, the first client gets no answer.
    if ((await sessionOf(other)).id === own || (await sessionOf(one)).id !== own) return true;
    await other.query('ROLLBACK');
  }
  return false;
}

async function sessionOf(client: pg.Client): Promise<Session> {
  const { rows } = await client.query<Session>(
    `SELECT pg_backend_pid() AS id, current_setting('${MARK}', true) AS mark`,
  );
  return rows[0] ?? { id: 0, mark: null };
}

function pooled(setting: SettingOfUrl): AppError {
  const advice =
    setting === 'DATABASE_URL'
      ? 'set DATABASE_DIRECT_URL to the same database past the pooler'
      : 'it has to lead to PostgreSQL itself';
  return new AppError({
    code: 'DATABASE_POOLED',
    kind: 'unavailable',
    message: `${setting}: leads to a connection pooler, which does not keep the settings and locks of a session; ${advice} (docs/guides/postgres.md, Connection poolers)`,
  });
}
