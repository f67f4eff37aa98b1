// @ts-check
import { Redis } from 'ioredis';

/**
 * Counts the commands that the whole Redis server carries out while `work` runs, those inside scripts included.
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
 * As a Redis is run that somebody relies on: what it accepted goes to the disk each second.
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
