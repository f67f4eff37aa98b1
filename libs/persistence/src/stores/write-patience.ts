import { isDatabaseTrouble, judgeDatabaseError } from '../database-failure.js';

/** For how long somebody goes on trying while the database is in trouble. */
export interface Patience {
  /** Waits for the next try, longer after each; false when it is too late for one. */
  again(failedTries: number): Promise<boolean>;
}

export const IMPATIENT: Patience = { again: () => Promise.resolve(false) };

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
 */
export async function writePatiently(
  write: () => Promise<void>,
  hasLanded: () => Promise<boolean>,
  patience: Patience,
): Promise<void> {
  let mayHaveLanded = false;
  for (let tries = 1; ; tries += 1) {
    try {
      await write();
      return;
    } catch (error) {
      const failure = judgeDatabaseError(error);
      const isOurs = failure.kind === 'ours';
      if (failure.kind !== 'ours') mayHaveLanded ||= failure.mayHaveCommitted;
      const mayGoOn = !isOurs && (await patience.again(tries));
      if (mayHaveLanded && (await isSure(hasLanded))) return;
      if (!mayGoOn) throw error;
    }
  }
}

/** A database that cannot say it now may say it after the next try. */
async function isSure(hasLanded: () => Promise<boolean>): Promise<boolean> {
  try {
    return await hasLanded();
  } catch (error) {
    if (isDatabaseTrouble(error)) return false;
    throw error;
  }
}
