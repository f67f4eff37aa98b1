// @ts-check
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { execa } from 'execa';
import pg from 'pg';
import { readRedisServer } from './redis-counters.mjs';

/**
 * Hardware and software of the measurement.
 * @typedef {object} Machine
 * @property {number} cores
 * @property {string} cpu
 * @property {string} system
 * @property {number} memoryBytes
 * @property {readonly number[]} loadBefore averages of 1, 5 and 15 minutes before the first measurement
 * @property {string} node
 * @property {string} postgres
 * @property {string | null} redis
 * @property {string} commit with `+changes` when the tree has some that are not committed
 */

/**
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('../services/bench-services.mjs').BenchServices} bench.services
 * @param {readonly number[]} bench.loadBefore
 * @returns {Promise<Machine>}
 */
export async function describeMachine({ root, services, loadBefore }) {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    system: `${process.platform} ${release()}`,
    memoryBytes: totalmem(),
    loadBefore,
    node: process.version,
    postgres: await postgresVersion(services.postgresUrl),
    redis: services.redisUrl === null ? null : (await readRedisServer(services.redisUrl)).version,
    commit: await commitOf(root),
  };
}

/** @param {string} connectionString */
async function postgresVersion(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query('SHOW server_version')).rows[0].server_version;
  } finally {
    await client.end();
  }
}

/** @param {string} cwd */
async function commitOf(cwd) {
  const { stdout: commit, failed } = await execa('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd,
    reject: false,
  });
  if (failed) return 'unknown';
  const { stdout: changes } = await execa('git', ['status', '--porcelain'], { cwd, reject: false });
  return changes === '' ? commit : `${commit}+changes`;
}
