import { Redis } from 'ioredis';
import pg from 'pg';

const LIMIT_MS = 5_000;

/**
 * Checks that the database of DATABASE_URL answers.
 * @throws {Error} with one line that never shows the password
 */
export async function checkDatabase(url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//u.test(url)) {
    throw new Error('DATABASE_URL must look like postgres://user:password@host:5432/name.');
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LIMIT_MS });
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (cause) {
    throw new Error(`DATABASE_URL does not work (${withoutSecrets(url)}): ${reasonOf(cause)}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks that the Redis of REDIS_URL answers, and that it does not evict jobs when memory runs out.
 * @throws {Error} with one line that never shows the password
 */
export async function checkRedis(url: string): Promise<void> {
  if (!/^rediss?:\/\//u.test(url)) throw new Error('REDIS_URL must look like redis://host:6379.');
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: LIMIT_MS,
    retryStrategy: () => null,
  });
  let lastError: unknown;
  client.on('error', (error) => {
    lastError = error;
  });
  try {
    await client.connect();
    const policy = /maxmemory_policy:(\S+)/u.exec(await client.info('memory'))?.[1];
    if (policy !== undefined && policy !== 'noeviction') {
      throw new Error(`its maxmemory-policy is ${policy}, and it must be noeviction: else jobs get lost`);
    }
  } catch (cause) {
    throw new Error(`REDIS_URL does not work (${withoutSecrets(url)}): ${reasonOf(lastError ?? cause)}`, {
      cause,
    });
  } finally {
    client.disconnect();
  }
}

function withoutSecrets(text: string): string {
  const url = URL.parse(text);
  return url === null ? 'not a URL' : `${url.host}${url.pathname}`;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  const [line = ''] = cause.message.split('\n');
  return line === '' ? cause.name : line;
}
