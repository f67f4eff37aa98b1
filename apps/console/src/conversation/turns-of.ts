import type { ExecutionSummary, Message } from '../api/types.js';

/** One turn of a session: a run, and the messages that it left. */
export interface Turn {
  readonly number: number;
  /** Null for messages that belong to no run. */
  readonly runId: string | null;
  /** Null where the run was deleted. */
  readonly run: ExecutionSummary | null;
  /** In their order; none before the run ends, and none of one that failed. */
  readonly messages: readonly Message[];
}

interface Part<Row> {
  /** Ordered by turns. */
  readonly rows: readonly Row[];
  /** Whether more rows follow that were not read yet. */
  readonly hasMore: boolean;
}

/**
 * Joins messages and runs of a session, which are read in pages of their own. A turn whose messages or run may still be
 * missing is left out, so that it does not change when they are read. Pure.
 */
export function turnsOf(messages: Part<Message>, runs: Part<ExecutionSummary>): Turn[] {
  const lastWithMessages = messages.hasMore ? (messages.rows.at(-1)?.turn_number ?? 0) - 1 : Infinity;
  const lastWithRun = runs.hasMore ? (runs.rows.at(-1)?.turn_number ?? 0) : Infinity;
  const last = Math.min(lastWithMessages, lastWithRun);
  const said = Map.groupBy(messages.rows, ({ turn_number }) => turn_number);
  const ran = new Map(runs.rows.map((run) => [run.turn_number, run]));
  const numbers = [...new Set([...said.keys(), ...ran.keys()])].filter((number) => number <= last);
  return numbers
    .sort((a, b) => a - b)
    .map((number) => {
      const run = ran.get(number) ?? null;
      const of = said.get(number) ?? [];
      const runId = run?.id ?? of.find(({ execution_id }) => execution_id !== null)?.execution_id ?? null;
      return { number, runId, run, messages: of };
    });
}
