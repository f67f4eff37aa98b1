import type { CallRecord, ChaosWorld, ProcessStop } from '../ledgers/chaos-world.js';
import type { ClaimRow } from '../ledgers/database-ledger.js';
import { groupBy, type Violation } from './violation.js';

/** What a request takes at most from the process that sends it to whoever notes when it came, on a busy machine. */
const EPSILON_MS = 1_000;

/**
 * I8: who was overtaken, or has settled, sends no call any more. A process that was frozen between looking at its lease and
 * sending cannot promise that: what it sends right after it was thawed is not counted.
 */
export function checkOvertaken(world: ChaosWorld): Violation[] {
  const claims = groupBy(world.database.claims, (claim) => claim.executionId);
  const settledAt = new Map(
    world.database.journal
      .filter((entry) => entry.kind === 'execution_settled')
      .map((entry) => [entry.executionId, entry.createdAt]),
  );
  return world.calls.flatMap((call): Violation[] => {
    if (wasThawed(call, world.stops)) return [];
    const latest = call.at - EPSILON_MS;
    if ((settledAt.get(call.executionId) ?? Infinity) < latest)
      return [{ invariant: 'I8', subject: call.callKey, detail: `${call.tool} was sent after the ending` }];
    if (!isOvertaken(call, claims.get(call.executionId) ?? [], latest)) return [];
    return [
      {
        invariant: 'I8',
        subject: call.callKey,
        detail: `${call.tool} was sent by a worker that was overtaken`,
      },
    ];
  });
}

function isOvertaken(call: CallRecord, claims: readonly ClaimRow[], latest: number): boolean {
  const before = claims.filter((claim) => claim.at <= latest);
  const current = claims.slice(Math.max(0, before.length - 1));
  const pids = new Set(current.map((claim) => pidOf(claim.owner)));
  return !pids.has(call.pid) && !pids.has(call.parentPid);
}

function wasThawed(call: CallRecord, stops: readonly ProcessStop[]): boolean {
  return stops.some(
    ({ pid, from, to }) =>
      (pid === call.pid || pid === call.parentPid) &&
      to !== null &&
      from <= call.at &&
      to >= call.at - 2 * EPSILON_MS,
  );
}

/** Of `<host>-<pid>#<announcement>`. */
export function pidOf(owner: string): number | null {
  const pid = /-(\d+)#/.exec(owner)?.[1];
  return pid === undefined ? null : Number(pid);
}
