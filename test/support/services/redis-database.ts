import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireServiceAddress, serviceAddress } from './service-address.js';

/** A part of this run's Redis that no other test file uses. */
export interface TestRedis {
  /** The URL of a database number of its own. */
  readonly url: string;
  /** A key prefix of its own, without a trailing colon. */
  readonly prefix: string;
}

/** Reserves a database number and a key prefix of this run's Redis; null if no redis-server is installed. */
export function createTestRedis(): TestRedis | null {
  const server = serviceAddress('CAPSTAN_TEST_REDIS_URL');
  if (server === undefined) return null;
  return { url: `${server}/${claimDatabaseNumber()}`, prefix: `test-${randomBytes(6).toString('hex')}` };
}

/** Reserves a number among all test processes: the process that creates the number's folder owns it. */
function claimDatabaseNumber(): number {
  const claims = join(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER'), 'redis-databases');
  mkdirSync(claims, { recursive: true });
  for (let number = 1; number < 1024; number += 1) {
    if (mkdirUnlessTaken(join(claims, String(number)))) return number;
  }
  throw new Error('All 1023 Redis databases of this run are taken.');
}

function mkdirUnlessTaken(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    // Not `instanceof Error`: in jest an error of a builtin is no instance of the test's Error class.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST')
      return false;
    throw error;
  }
}
