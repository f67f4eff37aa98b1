import type { ChaosWorld } from '../ledgers/chaos-world.js';
import type { ClaimRow } from '../ledgers/database-ledger.js';
import { groupBy, type Violation } from './violation.js';

/** About as many as one outage of its worker, or the loss of its job, lets pass. */
const MAX_OVERTAKINGS = 40;

/** The first claim of an execution, with the number of executions that each tenant held just before it. */
interface Beginning extends ClaimRow {
  readonly heldBy: ReadonlyMap<string, number>;
}

/**
 * Counts, for each execution, the executions of other tenants that began while it waited as the head of its conversation.
 * Only a tenant that held at least as many slots as its own at that moment overtakes it; waiting behind executions of its
 * own tenant does not count.
 */
export function overtakings(world: ChaosWorld): { readonly id: string; readonly times: number }[] {
  const begun = beginnings(world);
  const begunAt = new Map(begun.map((claim) => [claim.executionId, claim.at]));
  const since = headSince(world);
  return world.database.executions.map(({ id, tenantId }) => {
    const [from, to] = [since.get(id) ?? Infinity, begunAt.get(id) ?? 0];
    const isOvertaking = ({ at, tenantId: other, heldBy }: Beginning) =>
      other !== tenantId && at > from && at < to && (heldBy.get(other) ?? 0) >= (heldBy.get(tenantId) ?? 0);
    return { id, times: begun.filter(isOvertaking).length };
  });
}

function beginnings({ database: { claims, executions } }: ChaosWorld): Beginning[] {
  const endOf = new Map(executions.map(({ id, finishedAt }) => [id, finishedAt ?? Infinity]));
  const first = claims.filter(({ attempt }) => attempt === 1);
  return first.map((claim) => {
    const isHeld = (other: ClaimRow) =>
      other.at < claim.at && (endOf.get(other.executionId) ?? Infinity) >= claim.at;
    const held = groupBy(first.filter(isHeld), ({ tenantId }) => tenantId);
    return { ...claim, heldBy: new Map([...held].map(([tenantId, rows]) => [tenantId, rows.length])) };
  });
}

/** The times from which all turns before an execution have ended, by execution id. */
function headSince(world: ChaosWorld): ReadonlyMap<string, number> {
  const since = new Map<string, number>();
  for (const turns of groupBy(world.database.executions, (row) => row.sessionId).values()) {
    let free = 0;
    for (const turn of turns.toSorted((one, other) => one.turnNumber - other.turnNumber)) {
      since.set(turn.id, Math.max(turn.createdAt, free));
      free = Math.max(free, turn.finishedAt ?? Infinity);
    }
  }
  return since;
}

/** I24: a tenant with many executions does not keep other tenants waiting. */
export function checkFairness(world: ChaosWorld): Violation[] {
  return overtakings(world)
    .filter(({ times }) => times > MAX_OVERTAKINGS)
    .map(({ id, times }) => ({
      invariant: 'I24',
      subject: id,
      detail: `waited while ${times} executions of tenants that held more places were begun`,
    }));
}
