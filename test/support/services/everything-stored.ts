import { Redis } from 'ioredis';
import { Client, escapeIdentifier } from 'pg';

/** All rows of all tables of a database, in every schema, as text. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, tablename AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const dumps: string[] = [];
    for (const { schema, name } of tables) {
      const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
      const { rows } = await client.query<{ row: string }>(`SELECT dumped::text AS row FROM ${table} dumped`);
      dumps.push(`${schema}.${name}`, ...rows.map(({ row }) => row));
    }
    return dumps.join('\n');
  } finally {
    await client.end();
  }
}

/** All keys of a Redis database with their values, as text. */
export async function dumpRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map((key) => valueOf(redis, key)));
    return JSON.stringify([keys, values]);
  } finally {
    redis.disconnect();
  }
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}
