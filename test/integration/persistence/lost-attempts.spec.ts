import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { postgresJournalOf } from '../../contract/journal/postgres-journal-of.js';
import { aSubmission } from '../../support/builders/submission.js';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
beforeEach(() => world.clear());
afterAll(() => world.close());

async function accept(): Promise<{ id: string }> {
  const submission = aSubmission();
  await world.intake.accept(submission);
  return { id: submission.executionId };
}

describe('what a claim says of the attempts before it', () => {
  it('does not count as progress that the model call of the attempt before was lost', async () => {
    const { id } = await accept();
    for (let lost = 0; lost < 2; lost += 1) {
      const claim = await world.claim(id);
      expect(claim).toMatchObject({ isSuspect: false, followsLostAttempt: lost > 0 });
      const journal = postgresJournalOf(world, claim);
      await journal.read();
      const entries = [{ kind: 'model_call_lost', round: 1, model: 'm' }] as const;
      if (claim.followsLostAttempt) await journal.append({ entries, runSteps: [] });
      await world.expireLease(id);
    }
    expect(await world.claim(id)).toMatchObject({ isSuspect: true, followsLostAttempt: true });
  });

  it('says that an attempt was lost until somebody has written since, whoever released it meanwhile', async () => {
    const { id } = await accept();
    await world.claim(id);
    await world.expireLease(id);
    const second = await world.claim(id);
    await world.claims.release(second);
    const third = await world.claim(id);
    expect(third).toMatchObject({ followsLostAttempt: true });
    const journal = postgresJournalOf(world, third);
    await journal.read();
    await journal.append({ entries: [{ kind: 'tool_call_started', round: 1, position: 0 }], runSteps: [] });
    await world.claims.release(third);
    const fourth = await world.claim(id);
    expect(fourth).toMatchObject({ followsLostAttempt: false });
    await world.claims.recordIsolatedDeath(fourth, 2);
    await world.dataSource.query('UPDATE execution SET due_at = now() WHERE id = $1', [id]);
    expect(await world.claim(id)).toMatchObject({ followsLostAttempt: true });
  });

  it('says nothing of a lost attempt that could still say that it gave its model call up', async () => {
    const { id } = await accept();
    const journal = postgresJournalOf(world, await world.claim(id));
    await journal.read();
    await journal.append({
      entries: [{ kind: 'model_call_interrupted', round: 1, text: '', model: 'm' }],
      runSteps: [],
    });
    await world.expireLease(id);
    expect(await world.claim(id)).toMatchObject({ followsLostAttempt: false });
  });
});
