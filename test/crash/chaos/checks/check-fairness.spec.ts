import { describe, expect, it } from '@jest/globals';
import type { ChaosWorld } from '../ledgers/chaos-world.js';
import { overtakings } from './check-fairness.js';
import { healthyWorld } from './healthy-world.js';

/** The second turn was cancelled at 50 while the first ran until 1 000; the third was claimed at 1 100. */
function threeTurns(): ChaosWorld {
  const world = healthyWorld();
  const [first] = world.database.executions;
  if (!first) throw new Error('a healthy world has executions');
  const claim = (executionId: string, tenantId: string, at: number) => ({
    ...{ executionId, tenantId, at, attempt: 1, owner: 'host-11#1' },
  });
  return {
    ...world,
    database: {
      ...world.database,
      executions: [
        { ...first, id: 'e1', turnNumber: 1, finishedAt: 1_000 },
        { ...first, id: 'e2', turnNumber: 2, finishedAt: 50 },
        { ...first, id: 'e3', turnNumber: 3, finishedAt: 2_000 },
      ],
      claims: [
        claim('e1', 'default', 10),
        claim('o1', 'neighbour', 500),
        claim('o2', 'neighbour', 1_050),
        claim('e3', 'default', 1_100),
      ],
    },
  };
}

describe('order of starts while one tenant waits', () => {
  it('counts from when all turns before have ended', () => {
    expect(overtakings(threeTurns())).toEqual([
      { id: 'e1', times: 0 },
      { id: 'e2', times: 0 },
      { id: 'e3', times: 1 },
    ]);
  });

  it('does not count whom a tenant begins that holds fewer places than the one that waits', () => {
    const world = threeTurns();
    const busy = { executionId: 'e0', tenantId: 'default', at: 5, attempt: 1, owner: 'host-11#1' };
    const { database } = world;
    expect(
      overtakings({ ...world, database: { ...database, claims: [busy, ...database.claims] } }),
    ).toContainEqual({ id: 'e3', times: 1 });
    const others = [busy, { ...busy, executionId: 'e00' }];
    expect(
      overtakings({ ...world, database: { ...database, claims: [...others, ...database.claims] } }),
    ).toContainEqual({ id: 'e3', times: 0 });
  });
});
