// @ts-check
import { Redis } from 'ioredis';

/**
 * Counts the commands that the Redis server runs while `work` runs, including those inside scripts.
 * @param {string} url
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Map<string, number>>} calls by command
 */
export async function countRedisCommands(url, work) {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  try {
    await redis.config('RESETSTAT');
    await work();
    const lines = (await redis.info('commandstats')).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gmu);
    return new Map([...lines].map(([, command = '', calls]) => [command, Number(calls)]));
  } finally {
    redis.disconnect();
  }
}

/**
 * @param {string} url
 * @returns {Promise<{version: string, pid: number}>} of the server
 */
export async function readRedisServer(url) {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  try {
    const info = await redis.info('server');
    return {
      version: /^redis_version:(\S+)/mu.exec(info)?.[1] ?? 'unknown',
      pid: Number(/^process_id:(\d+)/mu.exec(info)?.[1]),
    };
  } finally {
    redis.disconnect();
  }
}

/**
 * Makes Redis durable as in production: it flushes accepted writes to disk every second.
 * @param {string} url
 */
export async function keepOnDisk(url) {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  try {
    await redis.config('SET', 'appendonly', 'yes');
  } finally {
    redis.disconnect();
  }
}
