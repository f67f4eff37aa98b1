// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { classifier } from './classify-statements.mjs';

/** Idle sessions report their statistics only after 10 s. */
const COUNTS_ARE_IN_AFTER_MS = 11_000;
/** Schema of the queue's functions and tables. */
const QUEUE_SCHEMA = 'bullmq';

/**
 * @typedef {object} StatementCount
 * @property {string} query normalised by PostgreSQL; what runs within a function is part of its caller
 * @property {import('./classify-statements.mjs').Owner} owner
 * @property {number} calls
 * @property {number} planMs
 * @property {number} executionMs
 */

/**
 * Work of a database between two readings.
 * @typedef {object} PostgresWork
 * @property {number} commits of any kind, also those of reads; without those that programs make which have nothing to do
 * @property {number} walBytes of the whole server
 * @property {readonly StatementCount[]} statements the ones that took most time first
 * @property {number} queueStatements how many of the calls were the queue's
 * @property {number} serviceStatements how many were the service's own; the beginnings and ends of transactions are
 *   neither's
 */

/**
 * Counts the database's work while `work` runs.
 * @param {import('pg').Pool} database
 * @param {() => Promise<unknown>} work
 * @returns {Promise<PostgresWork>}
 */
export async function countPostgresWork(database, work) {
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await delay(COUNTS_ARE_IN_AFTER_MS);
  const idle = await look(database);
  await delay(COUNTS_ARE_IN_AFTER_MS);
  const before = await look(database);
  await database.query(
    'SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()))',
  );
  await work();
  const ownerOf = classifier(await readQueueNames(database));
  const statements = (await readStatements(database)).map((counted) => ({
    ...counted,
    owner: ownerOf(counted.query),
  }));
  const walAfter = (await look(database)).wal;
  await delay(COUNTS_ARE_IN_AFTER_MS);
  const after = await look(database);
  const calls = (/** @type {import('./classify-statements.mjs').Owner} */ whose) =>
    statements.filter(({ owner }) => owner === whose).reduce((sum, counted) => sum + counted.calls, 0);
  return {
    // The wait after the work was as long as the one before it.
    commits: after.commits - before.commits - (before.commits - idle.commits),
    walBytes: walAfter - before.wal,
    statements,
    queueStatements: calls('queue'),
    serviceStatements: calls('service'),
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

/** @param {import('pg').Pool} database @returns {Promise<{functions: string[], tables: string[]}>} */
async function readQueueNames(database) {
  const { rows } = await database.query(
    `SELECT (SELECT coalesce(array_agg(DISTINCT proname::text), '{}') FROM pg_proc
              WHERE pronamespace = to_regnamespace($1)) AS functions,
            (SELECT coalesce(array_agg(relname::text), '{}') FROM pg_class own
              WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')
                -- Where both have a table of that name, a statement that names no schema is the service's.
                AND NOT EXISTS (SELECT FROM pg_class
                                 WHERE relname = own.relname AND relnamespace = 'public'::regnamespace)) AS tables`,
    [QUEUE_SCHEMA],
  );
  return rows[0];
}

/** @param {import('pg').Pool} database @returns {Promise<Omit<StatementCount, 'owner'>[]>} */
async function readStatements(database) {
  const { rows } = await database.query(
    `SELECT query, calls::float8, total_plan_time AS "planMs", total_exec_time AS "executionMs" FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_%'
      ORDER BY total_plan_time + total_exec_time DESC`,
  );
  return rows;
}
