// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/** Idle sessions report their statistics after 10 s. */
const COUNTS_ARE_IN_AFTER_MS = 11_000;

/**
 * @typedef {object} TableState
 * @property {number} indexes
 * @property {number} inserts since the table was made
 * @property {number} updates
 * @property {number} hotUpdates of these, those that touched no index
 * @property {number} deadRows that no vacuum has taken away yet
 * @property {number} bytes with indexes
 */

/**
 * PostgreSQL's statistics of each table, once all sessions have reported.
 * @param {import('pg').Pool} database
 * @returns {Promise<Map<string, TableState>>}
 */
export async function readTables(database) {
  await delay(COUNTS_ARE_IN_AFTER_MS);
  const { rows } = await database.query(
    `SELECT relname AS name, n_tup_ins::float8 AS inserts, n_tup_upd::float8 AS updates, n_tup_hot_upd::float8 AS "hotUpdates",
            (SELECT count(*)::float8 FROM pg_index WHERE indrelid = relid) AS indexes,
            n_dead_tup::float8 AS "deadRows", pg_total_relation_size(relid)::float8 AS bytes
       FROM pg_stat_user_tables WHERE schemaname = 'public'`,
  );
  return new Map(rows.map(({ name, ...state }) => [name, state]));
}

/**
 * The growth of all tables between two readings.
 * @param {ReadonlyMap<string, TableState>} before
 * @param {ReadonlyMap<string, TableState>} after
 * @returns {{bytes: number, indexEntries: number}} `indexEntries`: at most, since partial indexes leave rows out
 */
export function growthOf(before, after) {
  let [bytes, indexEntries] = [0, 0];
  for (const [name, now] of after) {
    const then = before.get(name);
    if (then === undefined) continue;
    const updates = now.updates - then.updates - (now.hotUpdates - then.hotUpdates);
    bytes += now.bytes - then.bytes;
    indexEntries += (now.inserts - then.inserts + updates) * now.indexes;
  }
  return { bytes, indexEntries };
}
