import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LeaseLostError } from '#libs/agent-core';
import { CancellationStore, ExecutionAcceptanceStore, ExecutionTokenStore } from '#libs/persistence';
import { executionTokenPlace, parseKeyring, SecretBox } from '#libs/secrets';
import { ToolCatalogue } from '#libs/tooling';
import { resealSecrets } from '../../../../apps/migrate/src/reseal-secrets.js';
import { SealedTokens } from '../../../../apps/worker/src/tool-servers/sealed-tokens.js';
import { aSettlement } from '../../../contract/journal/a-settlement.js';
import { postgresJournalOf } from '../../../contract/journal/postgres-journal-of.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aSubmission } from '../../../support/builders/submission.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { PersistenceWorld } from '../../persistence/persistence-world.js';
import { WorkerWorld } from '../worker-world.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const boxOf = (keys: string) => new SecretBox(parseKeyring(keys));
const TOKENS = { crm: 'secret-1', mail: 'secret-2' };

let world: WorkerWorld;
let store: ExecutionTokenStore;
beforeAll(async () => {
  world = await WorkerWorld.open();
  store = new ExecutionTokenStore(world.dataSource);
});
beforeEach(() => world.offer([]));
afterAll(() => world.close());

/** A submission with {@link TOKENS}, sealed as the API seals them. */
function withTokens(overrides: Parameters<typeof aSubmission>[0] = {}): ReturnType<typeof aSubmission> {
  const submission = aSubmission(overrides);
  const { tenantId, executionId } = submission;
  const tokens = Object.entries(TOKENS).map(([name, secret]) => ({
    name,
    sealed: boxOf(OLD).seal(secret, executionTokenPlace(tenantId, executionId, name)),
  }));
  return { ...submission, tokens, request: { ...submission.request, token_names: Object.keys(TOKENS) } };
}

const submit = () => world.submit(withTokens());
const read = (id: string, keys = OLD) => new SealedTokens(store, boxOf(keys)).read('default', id);
const answer = (text: string) => new SequenceModel([aModelAnswer({ text })]);

async function countOf(id: string): Promise<number> {
  const rows = await world.dataSource.query<unknown[]>(
    'SELECT 1 FROM execution_token WHERE execution_id = $1',
    [id],
  );
  return rows.length;
}

async function age(id: string): Promise<void> {
  await world.dataSource.query(
    `UPDATE execution_token SET expires_at = now() - interval '1 second' WHERE execution_id = $1`,
    [id],
  );
}

describe('the tokens of an execution', () => {
  it('are there for its worker, and for no other execution and tenant (S4-9)', async () => {
    const { id } = await submit();
    expect(await read(id)).toEqual(TOKENS);
    const { id: without } = await world.submit();
    expect(await read(without)).toEqual({});
    expect(await new SealedTokens(store, boxOf(OLD)).read('other', id)).toEqual({});
    // A token is sealed for its execution: a row that is moved to another execution cannot be opened.
    await world.dataSource.query(`UPDATE execution_token SET execution_id = $2 WHERE execution_id = $1`, [
      id,
      without,
    ]);
    await world.dataSource.query(
      `UPDATE execution SET request = request || '{"token_names": ["crm", "mail"]}' WHERE id = $1`,
      [without],
    );
    await expect(read(without)).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['completes', (id) => world.run(id, answer('done'))],
    ['fails', (id) => world.run(id, { call: () => Promise.reject(new Error('a fault of ours')) })],
    ['is cancelled in line', (id) => new CancellationStore(world.dataSource).request('default', id)],
    [
      'is given up, since its workers died of it',
      async (id) => {
        await world.dataSource.query(
          `UPDATE execution SET isolated_deaths = 2, lost_attempts = 2, status = 'running', attempt = 1, epoch = 1,
                  started_at = now(), lease_expires_at = now() - interval '1 hour' WHERE id = $1`,
          [id],
        );
        await world.run(id, answer('never'));
      },
    ],
    [
      'applies changes of its domain',
      async (id) => {
        const change = { kind: 'receipt.saved', data: {} };
        const result = { status: 'success', result: {} } as const;
        const save = aTool('save', { run: () => Promise.resolve({ result, staged: [change] }) });
        await world.offer([save]);
        const model = new SequenceModel([
          aModelAnswer({ toolCalls: [aCall('save', 'c1')] }),
          aModelAnswer({ text: 'done' }),
        ]);
        await world.run(id, model, [save]);
      },
    ],
  ])('are gone with the transaction by which it %s (S4-9)', async (_how, end) => {
    const { id } = await submit();
    const { id: beside } = await submit();
    await end(id);
    const [row] = await world.dataSource.query<{ finished_at: Date | null }[]>(
      'SELECT finished_at FROM execution WHERE id = $1',
      [id],
    );
    expect(row?.finished_at).not.toBeNull();
    expect([await countOf(id), await countOf(beside)]).toEqual([0, 2]);
  });

  it('stay while it waits for a person, and go when it ends', async () => {
    const tools = [aTool('charge', { effect: 'unsafe' })];
    await world.offer(tools, { require_approval: ['charge'] });
    const { id } = await submit();
    const asks = new SequenceModel([aModelAnswer({ toolCalls: [aCall('charge', 'c1')] })]);
    expect(await world.run(id, asks, tools)).toMatchObject({ status: 'requires_action' });
    expect(await read(id)).toEqual(TOKENS);
    await new CancellationStore(world.dataSource).request('default', id);
    expect(await world.run(id, answer('never'), tools)).toMatchObject({ status: 'cancelled' });
    expect(await countOf(id)).toBe(0);
  });

  it('are deleted after their time, and what needs them then says so', async () => {
    const { id } = await submit();
    const { id: young } = await submit();
    await age(id);
    await expect(read(id)).rejects.toMatchObject({ code: 'TOKENS_EXPIRED', kind: 'invalid_input' });
    await store.expire();
    expect([await countOf(id), await countOf(young)]).toEqual([0, 2]);
    await expect(read(id)).rejects.toMatchObject({ code: 'TOKENS_EXPIRED' });
    expect(await read(young)).toEqual(TOKENS);
    // The execution fails with this error if a source of tools reads the tokens.
    const asking = { load: () => read(id).then(() => Promise.reject(new Error('never'))) };
    expect(await world.run(id, answer('never'), [], { tools: asking })).toMatchObject({
      status: 'failed',
      error: { code: 'TOKENS_EXPIRED' },
    });
  });

  it('are missed on the execution, where a source of tools had to leave out what they fill', async () => {
    const { id } = await submit();
    const warning = 'the header Authorization of the server crm was left out: no token is named erp';
    const warned = { load: () => Promise.resolve(new ToolCatalogue([]).warning([warning])) };
    const view = await world.run(id, answer('done'), [], { tools: warned });
    expect(view.execution_metadata).toMatchObject({ total_tokens: 15, warnings: [warning] });
    expect(await world.executions.find('default', id)).toMatchObject({
      execution_metadata: { warnings: [warning] },
    });
  });

  it('are deleted where a release that knew nothing of them has ended their execution', async () => {
    const { id } = await submit();
    await world.dataSource.query(
      `UPDATE execution SET status = 'failed', finished_at = now(), error = '{"code":"X","message":"x"}' WHERE id = $1`,
      [id],
    );
    expect(await countOf(id)).toBe(2);
    await store.expire();
    expect(await countOf(id)).toBe(0);
  });

  it('open with a new key once they were sealed anew', async () => {
    await world.dataSource.query('DELETE FROM execution_token');
    const { id } = await submit();
    const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
    expect(await resealSecrets(world.databaseUrl, `${NEW},${OLD}`)).toBe(2);
    expect(await read(id, NEW)).toEqual(TOKENS);
    expect(await resealSecrets(world.databaseUrl, NEW)).toBe(0);
  });
});

describe('ends that are no ends', () => {
  let persistence: PersistenceWorld;
  beforeAll(async () => {
    persistence = await PersistenceWorld.open();
  });
  afterAll(() => persistence.close());

  it('an attempt that does not hold the execution any more deletes nothing of it', async () => {
    const { id } = await persistence.accept(withTokens());
    const claim = await persistence.claim(id);
    await persistence.expireLease(id);
    await persistence.claim(id);
    const journal = postgresJournalOf(persistence, claim);
    await expect(journal.settle({ entries: [], runSteps: [] }, aSettlement())).rejects.toThrow(
      LeaseLostError,
    );
    const left = await persistence.dataSource.query<unknown[]>('SELECT 1 FROM execution_token');
    expect(left).toHaveLength(2);
  });

  it('keeps nothing of tokens where the request is not accepted', async () => {
    const before = await persistence.dataSource.query<unknown[]>('SELECT 1 FROM execution_token');
    const acceptances = new ExecutionAcceptanceStore(persistence.dataSource);
    const nowhere = withTokens({ sessionId: '0198c0de-0000-7000-8000-000000000001' });
    expect(await acceptances.accept(nowhere)).toEqual({ kind: 'session_not_found' });
    const outdated = withTokens({ checkedBy: { agent: '1', llm: '1', tenant: '1' } });
    expect(await acceptances.accept(outdated)).toEqual({ kind: 'outdated' });
    expect(await persistence.dataSource.query<unknown[]>('SELECT 1 FROM execution_token')).toEqual(before);
  });
});
