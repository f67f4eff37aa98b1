import { waitFor } from '../../support/services/wait-for.js';
import type { Arrival } from '../programs/failpoints.js';
import type { CrashLane } from '../services/crash-lane.js';
import { beginAgentsAtOnce, keyOf, SCOPES, UNSAFE_CALL, type AgentsAtOnce } from './agents-at-once.js';
import { collectExecution, readModelRequests, readUsage, waitUntilDelivered } from './collect-evidence.js';
import { findScopeViolations, type ScopeEvidence } from './find-scope-violations.js';
import { breakAll, thawAll } from './run-crash-batch.js';
import type { ScopeBatch } from './scope-batch.js';

/** Lets one process die, or freezes it, with an execution at each visit of the failpoint; answers what was violated then. */
export async function runScopeBatch(
  lane: CrashLane,
  { point, action, visits }: ScopeBatch,
): Promise<string[]> {
  const turns = new Map<string, PromiseWithResolvers<number | null>>();
  const turnOf = (id: string): PromiseWithResolvers<number | null> => {
    const turn = turns.get(id) ?? Promise.withResolvers<number | null>();
    turns.set(id, turn);
    return turn;
  };
  const all = Promise.withResolvers<null>();
  const trap = lane.board.arm(point, (id) => Promise.race([turnOf(id).promise, all.promise]));
  const isHeld = ({ id }: AgentsAtOnce): boolean =>
    trap.arrivals.some(({ executionId }) => executionId === id);
  // Its end can be seen before the worker that wrote it has come to the failpoint after the commit.
  const isThrough = (one: AgentsAtOnce): boolean => isHeld(one) || one.hasEnded();
  try {
    const begun: AgentsAtOnce[] = [];
    for (let visit = 1; visit <= visits; visit += 1) {
      const one = await beginAgentsAtOnce(lane);
      begun.push(one);
      turnOf(one.id).resolve(visit);
      // Two that settled at the same time would share a statement, and the one that is held would hold the other.
      if (point.startsWith('settle.'))
        await waitFor(() => isThrough(one), {
          description: `the execution to come to ${point}`,
          timeoutMs: 60_000,
        });
    }
    all.resolve(null);
    await waitFor(() => trap.arrivals.length > 0 && begun.every(isThrough), {
      description: `${visits} executions to stand at ${point} or to have ended, and one to stand there`,
      timeoutMs: 60_000,
    });
    const victims = await lane.replace(trap.close());
    const held = new Map(trap.arrivals.map((arrival) => [arrival.executionId, arrival]));
    await breakAll(victims, action);
    await Promise.all(begun.map(({ ended }) => ended));
    await waitUntilDelivered(
      lane,
      begun.map(({ id }) => id),
    );
    if (action === 'stop') await thawAll(lane, victims, trap);
    const found = await Promise.all(
      begun.map((one, index) => judge(lane, one, index + 1, visits, held.get(one.id))),
    );
    return found.flat();
  } finally {
    all.resolve(null);
    lane.board.disarm(trap);
  }
}

async function judge(
  lane: CrashLane,
  { id, key }: AgentsAtOnce,
  visit: number,
  visits: number,
  held: Arrival | undefined,
): Promise<string[]> {
  const asked = await Promise.all(
    SCOPES.map(async (scope) => [scope, await readModelRequests(lane, keyOf(key, scope))] as const),
  );
  const evidence: ScopeEvidence = {
    ...(await collectExecution(lane, id)),
    usage: await readUsage(lane, id),
    asked: new Map(asked),
    webhookSecret: lane.webhookSecret,
  };
  const violations = findScopeViolations(evidence, held !== undefined && isUnsafeCallUnknown(held));
  // On a busy machine another attempt may be lost, which comes by once more.
  if (held !== undefined && visit === visits && evidence.lostAttempts <= 1)
    violations.push(
      `it comes to ${held.point} ${visits} times, so that there may be more visits than were tried`,
    );
  return violations.map((violation) => `visit ${visit}${held ? '' : ' (not held)'}: ${violation}`);
}

/** Whether nobody can know what became of the unsafe call of an execution that broke off here. Pure. */
function isUnsafeCallUnknown({ point, about }: Arrival): boolean {
  switch (point) {
    case 'tool.after_intent_before_call':
    case 'tool.during_call':
    case 'tool.after_effect_before_commit':
      return about.includes(UNSAFE_CALL);
    case 'journal.after_commit':
      return about.includes(`tool_call_started ${UNSAFE_CALL}`);
    case 'journal.before_commit':
      return about.includes(`tool_call_settled ${UNSAFE_CALL}`);
    default:
      return false;
  }
}
