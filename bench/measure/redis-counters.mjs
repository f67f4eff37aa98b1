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
