// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/** Idle sessions hand in their counts only now and then. */
const COUNTS_ARE_IN_AFTER_MS = 11_000;
/** BullMQ finds its functions and tables without naming their schema. */
const QUEUE = /\b(add_job|move_|next_|extend_lock|update_job|FROM job\b|pg_notify\('bull)/u;

/**
 * @typedef {object} StatementCount
 * @property {string} query
 * @property {number} calls
 * @property {number} planMs
 * @property {number} executionMs
 */

/**
 * What a database did between two looks.
 * @typedef {object} PostgresWork
 * @property {number} commits of any kind, also those of reads
 * @property {number} walBytes of the whole server
 * @property {readonly StatementCount[]} statements the ones that took most time first
 * @property {number} queueStatements how many of the calls were the queue's
 * @property {number} serviceStatements how many were the service's own
 */

/**
 * Counts what happens in the database while `work` runs.
 * @param {import('pg').Pool} database
 * @param {() => Promise<unknown>} work
 * @returns {Promise<PostgresWork>}
 */
export async function countPostgresWork(database, work) {
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await delay(COUNTS_ARE_IN_AFTER_MS);
  const before = await look(database);
  await database.query(
    'SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()))',
  );
  await work();
  const statements = await readStatements(database);
  const walAfter = (await look(database)).wal;
  await delay(COUNTS_ARE_IN_AFTER_MS);
  const after = await look(database);
  const calls = (/** @type {(query: string) => boolean} */ isCounted) =>
    statements.filter(({ query }) => isCounted(query)).reduce((sum, statement) => sum + statement.calls, 0);
  return {
    commits: after.commits - before.commits,
    walBytes: walAfter - before.wal,
    statements,
    queueStatements: calls((query) => QUEUE.test(query)),
    serviceStatements: calls((query) => !QUEUE.test(query)),
  };
}

/** @param {import('pg').Pool} database @returns {Promise<{commits: number, wal: number}>} */
async function look(database) {
  const { rows } = await database.query(
    `SELECT xact_commit::float8 AS commits, (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal
       FROM pg_stat_database WHERE datname = current_database()`,
  );
  return rows[0];
}

/** @param {import('pg').Pool} database @returns {Promise<StatementCount[]>} */
async function readStatements(database) {
  const { rows } = await database.query(
    `SELECT query, calls::float8, total_plan_time AS "planMs", total_exec_time AS "executionMs" FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_%'
      ORDER BY total_plan_time + total_exec_time DESC`,
  );
  return rows;
}
