import type { CallRecord, ChaosWorld, ProcessStop } from '../ledgers/chaos-world.js';
import type { ClaimRow } from '../ledgers/database-ledger.js';
import { groupBy, type Violation } from './violation.js';

/** Milliseconds from sending a request to the note of its arrival, at most, on a busy machine. */
const EPSILON_MS = 1_000;

/**
 * I8: a process sends no call once it was overtaken or its execution has settled. One that is frozen between the check of
 * its lease and the call cannot keep this, so calls right after a thaw do not count.
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

/** The process id in a lease owner of the form `<host>-<pid>#<announcement>`; null for any other form. */
export function pidOf(owner: string): number | null {
  const pid = /-(\d+)#/.exec(owner)?.[1];
  return pid === undefined ? null : Number(pid);
}
