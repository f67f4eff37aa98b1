import { Combiner, type BatchAnswer } from '#libs/concurrency';
import { hasDoneNothing } from '../database-failure.js';

/** One write of a claim, and what its statement reads of it. */
export interface Prepared {
  readonly executionId: string;
  /** The session to lock before the execution; null where none is. */
  readonly sessionId: string | null;
  /** Its row of the statement's first parameter, as JSON text. */
  readonly json: string;
}

/** What of its row a statement for several answers beside what it has written. */
export interface LockedRow {
  readonly id: string;
  /** Whether the statement had its locks: it can be written. */
  readonly is_ready: boolean;
  /** Whether the claim holds its execution, where that could be seen. */
  readonly is_held: boolean;
}

/** Characters of JSON: more does not get cheaper by company, and keeps it waiting. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Writes of several claims in one statement and one commit. What somebody else has locked goes by itself, and waits there;
 * so does everything of a batch that the database has refused as a whole, since it does not say for whose sake.
 *
 * @param statement for several; answers a row for each
 * @param alone for one, which may wait; null where the claim does not hold the execution any more
 */
export function writeTogether<Item extends Prepared, Row extends LockedRow>(
  statement: (items: readonly Item[]) => Promise<readonly Row[]>,
  alone: (item: Item) => Promise<Row | null>,
): Combiner<Item, Row | null> {
  return new Combiner<Item, Row | null>({
    runTogether: async (items) => {
      const batch = firstOfEach(items);
      const rows = new Map((await statement(batch)).map((row) => [row.id, row]));
      return items.map((item) => (batch.includes(item) ? toAnswer(rows.get(item.executionId)) : ALONE));
    },
    runAlone: alone,
    mayRunAlone: hasDoneNothing,
    weigh: ({ json }) => json.length,
    mostWeight: MOST_CHARACTERS,
    defer: (begin) => void setImmediate(begin),
  });
}

const ALONE = { kind: 'alone' } as const;

/** Of two claims of one execution at most one holds it, and one statement can write it once. */
function firstOfEach<Item extends Prepared>(items: readonly Item[]): Item[] {
  const ids = new Set<string>();
  return items.filter(({ executionId }) => !ids.has(executionId) && ids.add(executionId));
}

function toAnswer<Row extends LockedRow>(row: Row | undefined): BatchAnswer<Row | null> {
  if (!row?.is_ready) return ALONE;
  return { kind: 'done', value: row.is_held ? row : null };
}

/** The parameters of a statement for these: rows, executions, sessions. */
export function parametersOf(items: readonly Prepared[]): [string, string[], string[]] {
  const sessions = items.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
  return [
    `[${items.map(({ json }) => json).join(',')}]`,
    items.map(({ executionId }) => executionId),
    sessions,
  ];
}
