import { waitFor } from '../../support/services/wait-for.js';
import type { CrashLane } from '../services/crash-lane.js';

/** An execution that a failpoint may hold. */
export interface HeldExecution {
  readonly id: string;
  /** Resolves when the execution has ended and its `result` event can be read. */
  readonly ended: Promise<unknown>;
  readonly hasEnded: () => boolean;
}

/**
 * Waits for the `result` event as well as the ending: a worker that dies takes unsent events along, even after the commit.
 *
 * @param settled resolves when the execution has ended
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
  // Without a handler, a failure before the caller awaits it would be an unhandled rejection.
  ended.catch(() => undefined);
  return { id, ended, hasEnded: () => hasEnded };
}
