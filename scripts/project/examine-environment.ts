import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  judgeClocks,
  judgeDatabase,
  judgeDisk,
  judgeModelKeys,
  judgePooler,
  judgePorts,
  judgeRedis,
  judgeTls,
  type Environment,
  type EnvironmentCheck,
  type SeenDatabase,
} from './environment-checks.ts';

const ANSWER_WITHIN_MS = 5_000;
const PORTS = { PORT: 3000, WORKER_PORT: 3001 };

/** Looks at what a service with this environment would use on this machine; changes nothing. */
export async function* examineEnvironment(
  environment: Environment,
): AsyncGenerator<EnvironmentCheck, void, undefined> {
  const given = (name: string): string | null => environment[name] || null;
  const url = given('DATABASE_URL');
  const seen = url === null ? null : await see(url, 'DATABASE_URL');
  const askedAt = Date.now();
  yield* judgeDatabase(seen);
  if (seen !== null && !(seen instanceof Error)) {
    const direct = given('DATABASE_DIRECT_URL');
    yield judgePooler(seen, direct === null ? null : await see(direct, 'DATABASE_DIRECT_URL'));
    yield judgeClocks(seen.now, askedAt);
  }
  const redis = given('REDIS_URL');
  yield judgeRedis(redis === null ? null : await policyOf(redis));
  yield judgeTls(environment, seen !== null && !(seen instanceof Error) && seen.isEncrypted);
  yield judgeModelKeys(environment);
  const ports = Object.entries(PORTS).map(([name, usual]) => [name, Number(given(name) ?? usual)] as const);
  const host = given('HOST') ?? '127.0.0.1';
  const taken = await Promise.all(ports.map(async ([, port]) => ((await isTaken(host, port)) ? [port] : [])));
  yield judgePorts(Object.fromEntries(ports), taken.flat());
  const folder = given('FILES_ROOT') ?? process.cwd();
  yield judgeDisk(folder, await freeBytes(folder));
}

/** The database at an address; the reason where it does not answer, without the address. */
async function see(url: string, variable: string): Promise<SeenDatabase | Error> {
  const limits = { connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
  try {
    const client = new pg.Client({ connectionString: url, ...limits });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await look(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (cause) {
    return new Error(`${variable} does not work: ${reasonOf(cause)}`, { cause });
  }
}

async function look(client: pg.Client): Promise<SeenDatabase> {
  const { rows } = await client.query<{
    pid: number;
    version: string;
    now: Date;
    ssl: boolean | null;
    migrated: boolean;
  }>(
    `SELECT pg_backend_pid() AS pid, current_setting('server_version') AS version, clock_timestamp() AS now,
            (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS ssl,
            to_regclass('schema_migration') IS NOT NULL AS migrated`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('it answers nothing');
  const counted = row.migrated
    ? await client.query<{ count: number }>('SELECT count(*)::int AS count FROM schema_migration')
    : null;
  const { processID } = client as unknown as { readonly processID: number | null };
  return {
    version: row.version,
    isDirect: processID === row.pid,
    isEncrypted: row.ssl === true,
    now: row.now.getTime(),
    migrations: counted?.rows[0]?.count ?? null,
  };
}

async function policyOf(url: string): Promise<string | Error> {
  const limits = { connectTimeout: ANSWER_WITHIN_MS, commandTimeout: ANSWER_WITHIN_MS };
  try {
    const redis = new Redis(url, {
      lazyConnect: true,
      ...limits,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1] ?? 'noeviction';
    } finally {
      redis.disconnect();
    }
  } catch (cause) {
    return new Error(`REDIS_URL does not work: ${reasonOf(cause)}`, { cause });
  }
}

/** True where the port cannot be listened on. */
function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen({ host, port }, () => server.close(() => resolve(false)));
  });
}

async function freeBytes(folder: string): Promise<number | Error> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (cause) {
    return new Error(reasonOf(cause), { cause });
  }
}

/** The code of the system, or the words of the database, which show no address. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return cause.message === '' ? (code ?? cause.name) : cause.message.replaceAll(/\S+:\/\/\S+/g, '(address)');
}
