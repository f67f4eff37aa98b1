import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LeaseLostError } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { ExecutionEndings } from '#libs/persistence';
import type { StagedChange } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { postgresJournalOf } from '../../contract/journal/postgres-journal-of.js';
import { aSettlement } from '../../contract/journal/a-settlement.js';
import { aPendingCall } from '../../contract/executions/execution-steps.js';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

const endings = new ExecutionEndings(() => Promise.resolve(), 60_000);
const MESSAGES = [{ role: 'user', content: 'hello', data: {}, truncated: false, tokens: null }] as const;

const CHANGE = { kind: 'note', data: {} };
const settle = (claim: Claim, staged: readonly StagedChange[]) =>
  postgresJournalOf(world, claim).settle(
    { entries: [], runSteps: [] },
    aSettlement({ messages: MESSAGES, staged }),
  );

const ENDINGS: [name: string, (manager: EntityManager, claim: Claim) => Promise<unknown>][] = [
  ['settles', (_manager, claim) => settle(claim, [])],
  ['settles, and changes of the domain with it,', (_manager, claim) => settle(claim, [CHANGE])],
  ['parks', async (manager, claim) => (await endings.park(manager, claim, [aPendingCall('1.0')], null)).view],
];

describe.each(ENDINGS)('an attempt that %s its execution, without having written before', (_name, end) => {
  const isRefused = async (claim: Claim): Promise<void> => {
    const stateOf = () =>
      world.dataSource.query(
        `SELECT status, claim_token, lease_owner, (SELECT count(*) FROM chat_message WHERE execution_id = e.id) AS messages
           FROM execution e WHERE id = $1`,
        [claim.executionId],
      );
    const before: unknown = await stateOf();
    await expect(world.dataSource.transaction((manager) => end(manager, claim))).rejects.toThrow(
      LeaseLostError,
    );
    expect(await stateOf()).toEqual(before);
  };

  it('is refused where another one has taken over', async () => {
    const { id } = await world.accept();
    const overtaken = await world.claim(id);
    await world.expireLease(id);
    await world.claim(id);
    await isRefused(overtaken);
  });

  it('is refused where it has released the execution', async () => {
    const { id } = await world.accept();
    const claim = await world.claim(id);
    expect(await world.claims.release(claim)).toBe(true);
    await isRefused(claim);
  });

  it('is not refused where it holds the execution', async () => {
    const { id } = await world.accept();
    const claim = await world.claim(id);
    await expect(world.dataSource.transaction((manager) => end(manager, claim))).resolves.toMatchObject({
      id,
    });
  });
});
