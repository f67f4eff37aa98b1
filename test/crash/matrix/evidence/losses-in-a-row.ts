import type { JournalRow } from './case-evidence.js';

/** A fact that every attempt can write without progress: the next attempt has as much work as before. */
const NO_PROGRESS = 'model_call_lost';

/**
 * The consecutive losses that an execution must count at the claim of its last attempt, if all earlier attempts were lost: a
 * lost attempt with progress resets the count to one. Pure.
 *
 * @param attempts the number of attempts; the last one was not lost
 * @param notLost attempts that released their claim
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
