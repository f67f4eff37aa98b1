import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JournalBatch } from '#libs/agent-core';
import type { Claim, ClaimResult } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { ExecutionClaimStore, ExecutionDispatchStore, PostgresJournal } from '#libs/persistence';
import { aSettlement } from '../../../contract/journal/a-settlement.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aSubmission } from '../../../support/builders/submission.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS } from '../../persistence/persistence-world.js';
import { startOwnPostgres } from '../../../support/services/own-postgres.js';
import { WorkerWorld } from '../worker-world.js';

/** Counts transaction ids: each writing transaction takes one, a reading one takes none. */
describe('commits of one execution, counted by PostgreSQL', () => {
  let world: WorkerWorld;
  let stopPostgres: () => Promise<void>;
  beforeAll(async () => {
    // Transaction ids are counted per server, so the test needs a server of its own.
    stopPostgres = await startOwnPostgres();
    world = await WorkerWorld.open();
  });
  afterAll(async () => {
    await world.close();
    await stopPostgres();
  });

  async function nextTransaction(): Promise<number> {
    const rows: { id: string }[] = await world.dataSource.query('SELECT pg_current_xact_id()::text AS id');
    return Number(rows[0]?.id);
  }

  const dispatch = () => new ExecutionDispatchStore(world.dataSource).take(DISPATCH_OPTIONS);

  it.each([
    ['one round: accept, dispatch, claim, settle', [], 4],
    [
      'a round with calls that may be repeated adds two',
      [aCall('look', 'c1'), aCall('look', 'c2', { again: true })],
      6,
    ],
    ['an unsafe call adds one more', [aCall('look', 'c1'), aCall('charge', 'c2')], 7],
  ])('%s', async (_name, calls, commits) => {
    const tools = [aTool('look'), aTool('charge', { effect: 'unsafe' })];
    await world.offer(tools);
    const answers = [
      ...(calls.length > 0 ? [aModelAnswer({ toolCalls: calls })] : []),
      aModelAnswer({ text: 'done' }),
    ];
    const before = await nextTransaction();
    const { id } = await world.submit();
    await dispatch();
    const view = await world.run(id, new SequenceModel(answers), tools);
    const after = await nextTransaction();
    expect(view.status).toBe('completed');
    // The commits include the order for the session's title (S4-41).
    expect(await world.executions.findEnding('default', id)).toMatchObject({
      result: { title_pending: true },
    });
    // `nextTransaction` takes an id itself.
    expect(after - before - 1).toBe(commits);
  });

  it('a webhook of its own adds none to accepting, and none to settling', async () => {
    const webhook = {
      url: 'https://example.com/',
      events: ['execution.completed' as const],
      firstSecretSealed: 'sealed',
    };
    const before = await nextTransaction();
    const { id } = await world.submit({ webhook, idempotency: { key: 'k', requestSha256: 's' } });
    const accepted = await nextTransaction();
    await world.run(id, new SequenceModel([aModelAnswer({ text: 'done' })]));
    const settled = await nextTransaction();
    expect([accepted - before - 1, settled - accepted - 1]).toEqual([1, 2]);
  });

  it('tokens add none to accepting, and none to settling', async () => {
    const before = await nextTransaction();
    const request = { ...aSubmission().request, token_names: ['crm'] };
    const { id } = await world.submit({ request, tokens: [{ name: 'crm', sealed: 'sealed' }] });
    const accepted = await nextTransaction();
    await world.run(id, new SequenceModel([aModelAnswer({ text: 'done' })]));
    const settled = await nextTransaction();
    expect([accepted - before - 1, settled - accepted - 1]).toEqual([1, 2]);
    expect(await world.dataSource.query('SELECT 1 FROM execution_token')).toEqual([]);
  });

  it('forty executions that append, and then settle, at the same time take one commit each time', async () => {
    const claims = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { id } = await world.submit();
        return claimOf(await new ExecutionClaimStore(world.dataSource).claim(id, CLAIM_OPTIONS));
      }),
    );
    const journals = claims.map((claim) => new PostgresJournal(world.writes, claim, systemClock));
    const before = await nextTransaction();
    await Promise.all(journals.map((journal) => journal.append(BATCH)));
    const appended = await nextTransaction();
    await Promise.all(journals.map((journal) => journal.settle(BATCH, aSettlement())));
    const settled = await nextTransaction();
    expect([appended - before - 1, settled - appended - 1]).toEqual([1, 1]);
  });
});

const BATCH: JournalBatch = {
  entries: [{ kind: 'model_call_interrupted', round: 1, text: '' }],
  runSteps: [],
};

function claimOf(result: ClaimResult): Claim {
  if (result.kind !== 'claimed') throw new Error(`expected a claim, got ${result.kind}`);
  return result.claim;
}
