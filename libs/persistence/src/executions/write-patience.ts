import type { Patience } from '#libs/executions';
import { isDatabaseTrouble, judgeDatabaseError } from '../database-failure.js';

/** Asks again what failed for the database's sake. Throws what it failed with last when the patience ends. */
export async function askPatiently<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseTrouble(error) || !(await patience.again(tries))) throw error;
    }
  }
}

/**
 * Writes once, however often that takes. A write whose answer was lost may have taken effect: before it is repeated, and
 * when a repetition is refused, the database is read. Throws what it failed with last when the patience ends.
 *
 * @param findLanded what the write would have answered, where it has taken effect; null where it has not
 */
export async function writePatiently<T>(
  write: () => Promise<T>,
  findLanded: () => Promise<{ readonly answer: T } | null>,
  patience: Patience,
): Promise<T> {
  let mayHaveLanded = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const failure = judgeDatabaseError(error);
      const isOurs = failure.kind === 'ours';
      if (failure.kind !== 'ours') mayHaveLanded ||= failure.mayHaveCommitted;
      const mayGoOn = !isOurs && (await patience.again(tries));
      const landed = mayHaveLanded ? await askIfReachable(findLanded) : null;
      if (landed) return landed.answer;
      if (!mayGoOn) throw error;
    }
  }
}

/** A database that cannot say it now may say it after the next try. */
async function askIfReachable<T>(ask: () => Promise<T | null>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isDatabaseTrouble(error)) return null;
    throw error;
  }
}
