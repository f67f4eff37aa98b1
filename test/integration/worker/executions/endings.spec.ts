import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { responsesParameters } from '#libs/model-providers';
import type { ApplyStagedChange } from '#libs/persistence';
import { defineStagedChange } from '#libs/tooling';
import { Client } from 'pg';
import { z } from 'zod';
import { COMPLETED_RESPONSE, stream, text } from '../../../contract/model/scenes.js';
import { ScriptedProvider } from '../../../contract/model/scripted-provider.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel, SequenceModel } from '../../../support/fakes/scripted-model.js';
import { openModel } from '../../../support/services/open-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';

/** A deleted endpoint, an unstorable text or an odd number beside a run must not change how the run ends. */
let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
});
afterAll(() => world.close());

const query = <Row>(sql: string, ...parameters: unknown[]): Promise<Row[]> =>
  world.dataSource.query<Row[]>(sql, parameters);
const answer = (): ModelPort => new ScriptedModel([aModelAnswer({ text: 'Done.' })]);

async function addEndpoint(): Promise<number> {
  const [row] = await query<{ id: number }>(
    `INSERT INTO webhook_endpoint (tenant_id, url, secret_sealed, events)
     VALUES ('default', 'https://receiver.example', 'sealed', '{execution.completed}') RETURNING id`,
  );
  if (!row) throw new Error('no endpoint');
  return row.id;
}

/** Number of statements in this database that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

describe('an endpoint that is deleted while executions settle', () => {
  it('is not notified, and fails none of them', async () => {
    const [gone, living] = [await addEndpoint(), await addEndpoint()];
    const submitted = await Promise.all(Array.from({ length: 5 }, () => world.submit()));
    const other = new Client({ connectionString: world.databaseUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('DELETE FROM webhook_endpoint WHERE id = $1', [gone]);
      const running = Promise.all(submitted.map(({ id }) => world.run(id, answer())));
      await waitFor(async () => (await waiting()) === 5, {
        description: 'all of them to have got to the endpoint',
      });
      await other.query('COMMIT');
      expect((await running).map((view) => view.status)).toEqual(Array(5).fill('completed'));
    } finally {
      await other.end();
    }
    const reported = await query<{ execution_id: string }>(
      'SELECT execution_id FROM webhook_delivery WHERE endpoint_id = $1',
      living,
    );
    expect(reported.map((row) => row.execution_id).toSorted()).toEqual(
      submitted.map(({ id }) => id).toSorted(),
    );
  });

  it('fails none of many, whenever it happens', async () => {
    const submitted = await Promise.all(Array.from({ length: 60 }, () => world.submit()));
    let isOver = false;
    const churn = async (): Promise<void> => {
      while (!isOver) await query('DELETE FROM webhook_endpoint WHERE id = $1', await addEndpoint());
    };
    const churning = Promise.all([churn(), churn(), churn()]);
    const views = await Promise.all(submitted.map(({ id }) => world.run(id, answer())));
    isOver = true;
    await churning;
    expect(new Set(views.map((view) => view.status))).toEqual(new Set(['completed']));
  });
});

describe('token counts', () => {
  let provider: ScriptedProvider;
  beforeAll(async () => {
    provider = await ScriptedProvider.start();
  });
  afterAll(() => provider.stop());

  async function runWithUsage(usage: object) {
    provider.play(
      stream(text('Hi.'), {
        type: 'response.completed',
        response: { ...COMPLETED_RESPONSE, usage },
      }),
    );
    const model = openModel({ baseUrl: provider.baseUrl });
    const { id } = await world.submit();
    const view = await world.run(id, model);
    const [row] = await query<{ total: number | null }>(
      'SELECT total_tokens::float8 AS total FROM usage_log WHERE execution_id = $1',
      id,
    );
    return { view, row };
  }

  it('above 32 bits are kept as they are', async () => {
    const { view, row } = await runWithUsage({ input_tokens: 5e9, output_tokens: 7 });
    expect(view).toMatchObject({ status: 'completed', usage: { total_tokens: 5_000_000_007 } });
    expect(row).toEqual({ total: 5_000_000_007 });
  });

  it.each<[string, object]>([
    ['negative', { input_tokens: -5, output_tokens: 7 }],
    ['fractional', { input_tokens: 1.5, output_tokens: 7 }],
    ['beyond any number', { input_tokens: 9e15, output_tokens: 9e15 }],
    ['beyond any integer', { input_tokens: 1e300, output_tokens: 7 }],
  ])('count as not reported when they are %s', async (_what, usage) => {
    const { view, row } = await runWithUsage(usage);
    expect(view).toMatchObject({ status: 'completed', usage: { total_tokens: null, unknown_calls: 1 } });
    expect(row).toEqual({ total: null });
  });
});

it('text and numbers that no database takes are stored as far as they can be', async () => {
  const { id } = await world.submit();
  const odd = aModelAnswer({ text: 'a\u0000b\ud800', responseId: 'r\u0000\ud800', model: 'm\u0000' });
  const view = await world.run(id, new ScriptedModel([odd]), [], {
    models: {
      of: () => ({
        model: new ScriptedModel([odd]),
        maxRetries: 0,
        prices: { currency: 'U\u0000SD', promptUnitPrice: '1', completionUnitPrice: '1', priceUnit: '1' },
        costOf: () => null,
        ...BY_CHARACTERS,
        parameters: responsesParameters,
      }),
    },
  });
  expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'ab\ufffd' } } });
});

it('an answer above 1 MB is kept as far as that, and says so wherever it is shown', async () => {
  const { id, sessionId } = await world.submit();
  const long = new ScriptedModel([aModelAnswer({ text: '発'.repeat(500_000) })]);
  const view = await world.run(id, long);
  expect(view).toMatchObject({ status: 'completed', result: { message: { truncated: true } } });
  expect(Buffer.byteLength(view.result?.message.content ?? '')).toBe(1_048_575);
  const { rows: messages } = await world.sessions.listMessages('default', sessionId, { limit: 10 });
  expect(messages.map(({ role, truncated }) => ({ role, truncated }))).toEqual([
    { role: 'system', truncated: undefined },
    { role: 'user', truncated: undefined },
    { role: 'assistant', truncated: true },
  ]);
});

describe('a change that a tool prepared and that cannot become real', () => {
  const save = aTool('save', {
    effect: 'idempotent',
    run: () =>
      Promise.resolve({
        result: { status: 'success', result: { message: 'saved' } },
        staged: [{ kind: 'receipt.saved', data: {} }],
      }),
  });
  const refused: ApplyStagedChange = async (manager, _change, claim) => {
    await manager.query(
      `INSERT INTO execution_webhook (execution_id, tenant_id, url, receiver, events) VALUES ($1, 't', 'u', 'r', '{}')`,
      [claim.executionId.replace(/.{12}$/, '000000000000')],
    );
  };

  const unreadable: ApplyStagedChange = (manager, change, claim) =>
    defineStagedChange({
      data: z.object({ total: z.number() }),
      apply: () => Promise.reject(new Error('applied what it cannot read')),
    }).apply(manager, change, claim);

  it.each([
    ['the database refuses', refused],
    ['this release cannot read', unreadable],
  ])(
    'is how the execution ends (%s), with a code of its own and an untouched conversation',
    async (_why, apply) => {
      await world.offer([save]);
      const { id, sessionId } = await world.submit();
      const model = new SequenceModel([
        aModelAnswer({ toolCalls: [aCall('save', 'c1')] }),
        aModelAnswer({ text: 'Saved.' }),
      ]);
      const view = await world.run(id, model, [save], { journalOf: world.journalsWith(apply) });
      expect(view).toMatchObject({ status: 'failed', error: { code: 'STAGED_CHANGE_REFUSED' } });
      expect(view.error?.message).toBe('a staged change no longer fits the stored data: receipt.saved');
      expect(view.usage).toMatchObject({ total_tokens: 30 });
      expect(await world.messagesOf(sessionId)).toEqual([]);
    },
  );
});
