import { waitFor } from '../../support/services/wait-for.js';
import type { CrashLane } from '../services/crash-lane.js';

/** An execution that a failpoint may hold. */
export interface HeldExecution {
  readonly id: string;
  /** Resolves when it has ended, and followers have read that it has. */
  readonly ended: Promise<unknown>;
  readonly hasEnded: () => boolean;
}

/**
 * One that has ended where followers can read so: what a worker has not reported yet dies with it, however long ago it
 * was written.
 *
 * @param settled resolves when it has ended
 */
export function untilReported(lane: CrashLane, id: string, settled: Promise<unknown>): HeldExecution {
  let hasEnded = false;
  const isReported = async (): Promise<boolean> =>
    (await lane.api.events(id)).some(({ event }) => event === 'result');
  const ended = settled
    .then(() => waitFor(isReported, { description: `followers to read that ${id} has ended` }))
    .finally(() => {
      hasEnded = true;
    });
  // Whoever awaits it comes later.
  ended.catch(() => undefined);
  return { id, ended, hasEnded: () => hasEnded };
}
