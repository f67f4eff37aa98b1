import { waitFor } from '../../support/services/wait-for.js';
import type { Arrival, Failpoint } from '../programs/failpoints.js';
import type { CrashLane } from '../services/crash-lane.js';
import { waitUntilDelivered } from './evidence/collect-evidence.js';
import type { CrashAction } from './crash-case.js';
import { breakAll, thawAll } from './run-crash-batch.js';
import type { HeldExecution } from './until-reported.js';

export interface Broken<One> {
  /** The executions in the order of the visits at which they were to be held. */
  readonly begun: readonly One[];
  /** The arrival of each held execution, by its id. */
  readonly held: ReadonlyMap<string, Arrival>;
}

/**
 * Kills or freezes one process with an execution held at each visit of a failpoint, and waits until all executions have
 * ended.
 */
export async function breakAtEveryVisit<One extends HeldExecution>(
  lane: CrashLane,
  {
    point,
    action,
    visits,
  }: { readonly point: Failpoint; readonly action: CrashAction; readonly visits: number },
  begin: () => Promise<One>,
): Promise<Broken<One>> {
  const turns = new Map<string, PromiseWithResolvers<number | null>>();
  const turnOf = (id: string): PromiseWithResolvers<number | null> => {
    const turn = turns.get(id) ?? Promise.withResolvers<number | null>();
    turns.set(id, turn);
    return turn;
  };
  const all = Promise.withResolvers<null>();
  const trap = lane.board.arm(point, (id) => Promise.race([turnOf(id).promise, all.promise]));
  const isHeld = ({ id }: One): boolean => trap.arrivals.some(({ executionId }) => executionId === id);
  // The ending can be visible before its worker reaches the failpoint after the commit. An attempt that is held at its end
  // does not block another attempt of its execution, which may be in the middle of a call.
  const isThrough = (one: One): boolean => one.hasEnded() || (isHeld(one) && point !== 'attempt.after_end');
  try {
    const begun: One[] = [];
    for (let visit = 1; visit <= visits; visit += 1) {
      const one = await begin();
      begun.push(one);
      turnOf(one.id).resolve(visit);
      // Two executions that settle at the same time would share a statement, in which the held one would block the other.
      if (point.startsWith('settle.'))
        await waitFor(() => isThrough(one), {
          description: `the execution to come to ${point}`,
        });
    }
    all.resolve(null);
    await waitFor(() => trap.arrivals.length > 0 && begun.every(isThrough), {
      description: `${visits} executions to stand at ${point} or to have ended, and one to stand there`,
    });
    const victims = await lane.freezeAndReplace(trap.close());
    const held = new Map(trap.arrivals.map((arrival) => [arrival.executionId, arrival]));
    await breakAll(victims, action);
    await Promise.all(begun.map(({ ended }) => ended));
    await waitUntilDelivered(
      lane,
      begun.map(({ id }) => id),
    );
    if (action === 'stop') await thawAll(lane, victims, [trap]);
    return { begun, held };
  } finally {
    all.resolve(null);
    lane.board.disarm(trap);
  }
}
