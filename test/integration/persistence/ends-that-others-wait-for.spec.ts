import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresJournal, ExecutionEndings, ExecutionWrites } from '#libs/persistence';
import type { Claim } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { StagedChange } from '#libs/tooling';
import { aSettlement } from '../../contract/journal/a-settlement.js';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
let announced = 0;
let writes: ExecutionWrites;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  const endings = new ExecutionEndings(
    () => Promise.resolve(),
    60_000,
    undefined,
    undefined,
    () => (announced += 1),
  );
  writes = new ExecutionWrites(world.dataSource, endings);
});
beforeEach(async () => {
  await world.clear();
  announced = 0;
});
afterAll(() => world.close());

const NO_CHANGES: readonly StagedChange[] = [];

function settle(claim: Claim, staged = NO_CHANGES): Promise<unknown> {
  const journal = new PostgresJournal(writes, claim, systemClock);
  return journal.settle({ entries: [], runSteps: [] }, aSettlement({ staged }));
}

const ENDS: [name: string, end: (claims: readonly Claim[]) => Promise<unknown>][] = [
  ['alone', async ([claim]) => claim && settle(claim)],
  ['with changes of the domain', async ([claim]) => claim && settle(claim, [{ kind: 'note', data: {} }])],
  ['with others', (claims) => Promise.all(claims.map((claim) => settle(claim)))],
];

describe.each(ENDS)('an end %s', (_name, end) => {
  const begin = async () => {
    const accepted = [await world.accept(), await world.accept(), await world.accept()];
    const claims: Claim[] = [];
    for (const { id } of accepted) claims.push(await world.claim(id));
    return { accepted, claims };
  };

  it('sends no notification without a waiting execution', async () => {
    const { claims } = await begin();
    await end(claims);
    expect(announced).toBe(0);
  });

  it('says that the next of its session waits', async () => {
    const { accepted, claims } = await begin();
    for (const { sessionId } of accepted) await world.accept({ sessionId });
    await end(claims);
    expect(announced).toBeGreaterThan(0);
  });

  it('says that another tenant has not been sent', async () => {
    const { claims } = await begin();
    await world.accept({ tenantId: 'another' });
    await end(claims);
    expect(announced).toBeGreaterThan(0);
  });

  it('says nothing of what waits for a better time', async () => {
    const { claims } = await begin();
    const { id } = await world.accept();
    await world.dataSource.query(`UPDATE execution SET due_at = now() + interval '1 hour' WHERE id = $1`, [
      id,
    ]);
    await end(claims);
    expect(announced).toBe(0);
  });
});
