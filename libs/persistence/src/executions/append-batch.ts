import { queryRows, type Queryable } from '../sql.js';
import { heldSql, insertBatchSql, toFencedRow, type FencedWrite, type Locking } from './fenced-batch.js';
import { parametersOf, type LockedRow, type Prepared } from './write-together.js';

/** @param sessionId session to lock with the execution, for later statements of the transaction */
export function prepareAppend(write: FencedWrite, sessionId: string | null = null): Prepared {
  return { executionId: write.executionId, sessionId, json: JSON.stringify(toFencedRow(write)) };
}

/** Appends facts of several claims in one statement; returns a row for each, also for skipped ones. */
export function appendTogether(manager: Queryable, items: readonly Prepared[]): Promise<LockedRow[]> {
  return queryRows<LockedRow>(manager, APPEND_TOGETHER_SQL, parametersOf(items));
}

/** Appends facts of one claim and waits for its locks; null if it no longer holds the execution. */
export async function appendAlone(manager: Queryable, item: Prepared): Promise<LockedRow | null> {
  const [row] = await queryRows<LockedRow>(manager, APPEND_ALONE_SQL, parametersOf([item]));
  return row?.is_held === true ? row : null;
}

const appendSql = (locking: Locking): string => `
  WITH ${heldSql('', locking)}, ${insertBatchSql('held')}
  SELECT given.id, locked.id IS NOT NULL AS is_ready, held.id IS NOT NULL AS is_held
    FROM given LEFT JOIN locked ON locked.id = given.id LEFT JOIN held ON held.id = given.id`;

const APPEND_TOGETHER_SQL = appendSql({ waits: false });
const APPEND_ALONE_SQL = appendSql({ waits: true });
