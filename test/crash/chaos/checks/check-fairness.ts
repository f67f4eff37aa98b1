import type { ChaosWorld } from '../ledgers/chaos-world.js';
import { groupBy, type Violation } from './violation.js';

/** Claims of others while one waits to be run; about what one outage of its worker, or the loss of its job, lets pass. */
const MOST_OVERTAKINGS = 40;

/** How many executions of other tenants were begun while each one waited, although it was the head of its conversation. */
export function overtakings(world: ChaosWorld): { readonly id: string; readonly times: number }[] {
  const { executions, claims } = world.database;
  const begun = claims.filter((claim) => claim.attempt === 1);
  const begunAt = new Map(begun.map((claim) => [claim.executionId, claim.at]));
  const headSince = new Map<string, number>();
  for (const turns of groupBy(executions, (row) => row.sessionId).values()) {
    let free = 0;
    for (const turn of turns.toSorted((one, other) => one.turnNumber - other.turnNumber)) {
      headSince.set(turn.id, Math.max(turn.createdAt, free));
      free = Math.max(free, turn.finishedAt ?? Infinity);
    }
  }
  return executions.map(({ id, tenantId }) => {
    const [from, to] = [headSince.get(id) ?? Infinity, begunAt.get(id) ?? 0];
    return {
      id,
      times: begun.filter((claim) => claim.tenantId !== tenantId && claim.at > from && claim.at < to).length,
    };
  });
}

/** I24: a tenant that has much to do does not keep the others waiting. */
export function checkFairness(world: ChaosWorld): Violation[] {
  return overtakings(world)
    .filter(({ times }) => times > MOST_OVERTAKINGS)
    .map(({ id, times }) => ({
      invariant: 'I24',
      subject: id,
      detail: `waited while ${times} executions of other tenants were begun`,
    }));
}
