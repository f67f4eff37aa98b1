import type { JournalRow } from './case-evidence.js';

/** Every attempt can write it, and the next one has as much to do as before. */
const NO_PROGRESS = 'model_call_lost';

/**
 * How many losses in a row an execution must count when it is claimed for its last attempt, if all before that one were
 * lost: one that brought it further forgives those before it. Pure.
 *
 * @param attempts all that there were; the last one was not lost
 * @param notLost attempts that ended with a word before it did
 */
export function lossesInARow(
  journal: readonly JournalRow[],
  attempts: number,
  notLost: readonly number[],
): number {
  const lost = Array.from({ length: attempts - 1 }, (_, index) => index + 1).filter(
    (epoch) => !notLost.includes(epoch),
  );
  return lost.reduce((losses, epoch) => (hasProgressed(journal, epoch) ? 1 : losses + 1), 0);
}

function hasProgressed(journal: readonly JournalRow[], epoch: number): boolean {
  return journal.some((row) => row.epoch === epoch && row.kind !== NO_PROGRESS);
}
