import type { RetryPolicy } from '#libs/executions';
import { isDatabaseTrouble, classifyDatabaseError } from '../database-failure.js';

/** Retries a read after database failures. Throws the last error when the retry policy ends. */
export async function askWithRetry<T>(ask: () => Promise<T>, retries: RetryPolicy): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseTrouble(error) || !(await retries.again(tries))) throw error;
    }
  }
}

/**
 * Writes exactly once. A write with a lost response may have taken effect, so the database is read before a retry, and
 * after a refused one. Throws the last error when the retry policy ends.
 * @param findLanded the response of a write that took effect; null if it did not
 */
export async function writeWithRetry<T>(
  write: () => Promise<T>,
  findLanded: () => Promise<{ readonly answer: T } | null>,
  retries: RetryPolicy,
): Promise<T> {
  let mayHaveLanded = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const failure = classifyDatabaseError(error);
      const isOurs = failure.kind === 'ours';
      if (failure.kind !== 'ours') mayHaveLanded ||= failure.mayHaveCommitted;
      const mayGoOn = !isOurs && (await retries.again(tries));
      const landed = mayHaveLanded ? await askIfReachable(findLanded) : null;
      if (landed) return landed.answer;
      if (!mayGoOn) throw error;
    }
  }
}

/** Null if the database is unavailable; the next try asks again. */
async function askIfReachable<T>(ask: () => Promise<T | null>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isDatabaseTrouble(error)) return null;
    throw error;
  }
}
