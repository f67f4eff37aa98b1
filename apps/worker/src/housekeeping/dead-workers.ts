import { findMissingWorkers, releaseDeadWorkers } from '#libs/persistence';
import type { DataSource } from 'typeorm';

/** How often is looked for somebody who is missing. */
export const LOOK_EVERY_MS = 500;
/** How long a worker that lives may take to announce itself again after it has lost its connection. */
const GRACE_MS = 1_000;
/** The database has to be there all the time: one that comes back has just lost everybody's connections. */
const LOOKS = 4;

/**
 * Releases what dead workers held. To the database a process that died and a connection that broke look alike: dead is who
 * has been missing for the whole grace. Answers how many there were.
 */
export async function reapDeadWorkers(
  dataSource: DataSource,
  wait: (ms: number) => Promise<unknown>,
): Promise<number> {
  let missing = await findMissingWorkers(dataSource);
  for (let look = 0; look < LOOKS && missing.length > 0; look += 1) {
    await wait(GRACE_MS / LOOKS);
    const stillMissing = new Set(await findMissingWorkers(dataSource));
    missing = missing.filter((number) => stillMissing.has(number));
  }
  return missing.length === 0 ? 0 : releaseDeadWorkers(dataSource, missing);
}
