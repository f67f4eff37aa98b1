import { BatchExecutor, Linger, type BatchAnswer } from '#libs/concurrency';
import { systemClock, systemTimers } from '#libs/kernel';
import { hasDoneNothing } from '../database-failure.js';

/** One write of a claim, and its input for the statement. */
export interface Prepared {
  readonly executionId: string;
  /** Session to lock before the execution; null for none. */
  readonly sessionId: string | null;
  /** Row of the statement's first parameter, as JSON text. */
  readonly json: string;
}

/** Common result columns of a shared statement, per row. */
export interface LockedRow {
  readonly id: string;
  /** True if the statement got its locks, so that the row could be written. */
  readonly is_ready: boolean;
  /** True if the claim holds its execution, as far as the statement could see. */
  readonly is_held: boolean;
}

/**
 * Wait of a batch of writes or claims under load, in milliseconds. The executions of a batch go on together, so that their
 * next statements are shared as well.
 */
export const LINGER_MS = 10;

/** Maximum characters of JSON per batch; larger writes gain nothing from sharing and delay others. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Writes for several claims in one statement and one commit. Rows locked by another transaction are written alone, with
 * waiting; so are all rows of a batch that the database refused, since the error does not name the row.
 * @param statement for several; returns a row for each
 * @param alone for one, which may wait; null if the claim no longer holds the execution
 */
export function writeTogether<Item extends Prepared, Row extends LockedRow>(
  statement: (items: readonly Item[]) => Promise<readonly Row[]>,
  alone: (item: Item) => Promise<Row | null>,
): BatchExecutor<Item, Row | null> {
  return new BatchExecutor<Item, Row | null>({
    runTogether: async (items) => {
      const batch = firstOfEach(items);
      const rows = new Map((await statement(batch)).map((row) => [row.id, row]));
      return items.map((item) => (batch.includes(item) ? toAnswer(rows.get(item.executionId)) : ALONE));
    },
    runAlone: alone,
    mayRunAlone: hasDoneNothing,
    weigh: ({ json }) => json.length,
    mostWeight: MAX_CHARACTERS,
    defer: (begin) => void setImmediate(begin),
    linger: new Linger(LINGER_MS, systemClock, systemTimers),
  });
}

const ALONE = { kind: 'alone' } as const;

/** Keeps one write per execution: a statement can write a row once, and at most one of two claims is valid. */
function firstOfEach<Item extends Prepared>(items: readonly Item[]): Item[] {
  const ids = new Set<string>();
  return items.filter(({ executionId }) => !ids.has(executionId) && ids.add(executionId));
}

function toAnswer<Row extends LockedRow>(row: Row | undefined): BatchAnswer<Row | null> {
  if (!row?.is_ready) return ALONE;
  return { kind: 'done', value: row.is_held ? row : null };
}

/** Parameters of the shared statement: rows, executions, sessions. */
export function parametersOf(items: readonly Prepared[]): [string, string[], string[]] {
  const sessions = items.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
  return [
    `[${items.map(({ json }) => json).join(',')}]`,
    items.map(({ executionId }) => executionId),
    sessions,
  ];
}
