import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ModelCallError,
  ModelHostUnavailableError,
  type ModelAnswer,
  type ModelPort,
} from '#libs/agent-core';
import type { ModelFactory } from '#libs/executions';
import { responsesParameters } from '#libs/model-providers';
import { TimelineStore } from '#libs/persistence';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

const NO_MODEL = new SequenceModel([]);
const PRICES: Partial<Record<string, string>> = { first: '0.25', second: '0.75', third: '9' };

let world: WorkerWorld;
const ids: Record<string, number> = {};
beforeAll(async () => {
  world = await WorkerWorld.open();
  for (const [model, tenant] of [
    ['second', 'default'],
    ['third', 'default'],
    ['strange', 'stranger'],
  ] as const) {
    await world.dataSource.query(
      `INSERT INTO tenant (id, name) VALUES ($1::text, $1::text) ON CONFLICT DO NOTHING`,
      [tenant],
    );
    const [row] = await world.dataSource.query<[{ id: number }]>(
      `INSERT INTO llm (tenant_id, name, provider, model, extra)
       SELECT $1::text, $2::text, provider, $2::text, '{"temperature": 0.5}' FROM llm WHERE id = 1 RETURNING id`,
      [tenant, model],
    );
    ids[model] = row.id;
  }
});
afterAll(() => world.close());
afterEach(() => world.dataSource.query(`UPDATE llm SET is_active = true`));

const down = () => new ModelCallError({ reason: 'server_error', message: 'down', retryable: true });
const answer = (model: string, text = 'done') => aModelAnswer({ model, text });

/** A model for each name of a configuration; the seeded one is `first`. */
const modelsOf =
  (models: Readonly<Record<string, ModelPort>>): ModelFactory['of'] =>
  ({ model }) => {
    const name = model in models ? model : 'first';
    return {
      model: models[name] ?? NO_MODEL,
      maxRetries: 1,
      prices: null,
      costOf: (tokens) => (tokens ? (PRICES[name] ?? null) : null),
      ...BY_CHARACTERS,
      parameters: responsesParameters,
    };
  };
const run = (id: string, models: Readonly<Record<string, ModelPort>>) =>
  world.run(id, NO_MODEL, [], { models: { of: modelsOf(models) } });

async function billOf(id: string): Promise<unknown[]> {
  const sql = `SELECT model, state, cost_usd::float8 AS cost FROM usage_log WHERE execution_id = $1 ORDER BY round, try_number`;
  const rows = await world.dataSource.query<Record<string, unknown>[]>(sql, [id]);
  return rows.map(({ model, state, cost }) => `${String(model)} ${String(state)} ${String(cost)}`);
}

const failing = (...answers: ModelAnswer[]) => new SequenceModel([down(), down(), ...answers]);

describe('an execution whose model cannot be reached', () => {
  it('goes on with its fallback: shown in events, timeline and usage, priced by the model that answered', async () => {
    await world.offer([], { fallbacks: [999, ids['strange'], ids['third'], ids['second']] });
    await world.dataSource.query(`UPDATE llm SET is_active = false WHERE id = $1`, [ids['third']]);
    const { id } = await world.submit();
    const second = new SequenceModel([answer('second')]);

    expect(await run(id, { first: failing(), second, third: NO_MODEL, strange: NO_MODEL })).toMatchObject({
      status: 'completed',
      result: { message: { content: 'done' } },
    });

    expect(second.requests).toMatchObject([{ model: 'second', parameters: { temperature: 0.5 } }]);
    const bill = await billOf(id);
    expect(bill.slice(0, 2).every((line) => String(line).endsWith('failed null'))).toBe(true);
    expect(bill.slice(2)).toEqual(['second known 1.5']);
    const events = await world.events.readAfter(id, 0, 100);
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'model_switched',
        data: expect.objectContaining({ round: 1, model: 'second', reason: 'unavailable' }),
      }),
    );
    const timeline = await new TimelineStore(world.dataSource).list('default', id, { limit: 50 });
    const times = (timeline?.rows ?? [])
      .map(({ entry }) => entry)
      .filter(({ kind }) => kind === 'model_call' || kind === 'model_switch')
      .map(({ started_at }) => started_at ?? '');
    expect(times).toEqual(times.toSorted());
    const calls = (timeline?.rows ?? []).flatMap(({ entry }) =>
      entry.kind === 'model_call' || entry.kind === 'model_switch' ? [[entry.model, entry.status]] : [],
    );
    expect(calls).toEqual([
      [expect.not.stringContaining('second'), 'failed'],
      [expect.not.stringContaining('second'), 'failed'],
      ['second', 'switched'],
      ['second', 'succeeded'],
    ]);
  });

  it('does so at once while the breaker of its host is open, and waits in the queue without one', async () => {
    const first = () => new SequenceModel([new ModelHostUnavailableError(5_000)]);
    await world.offer([], { fallbacks: [ids['second']] });
    const { id } = await world.submit();
    const second = new SequenceModel([answer('second')]);
    expect(await run(id, { first: first(), second })).toMatchObject({
      status: 'completed',
      waiting_for: null,
    });
    await world.offer([]);
    const alone = await world.submit();
    expect(await run(alone.id, { first: first() })).toMatchObject({ status: 'queued' });
  });

  it('fails when it asks for something that is not valid, and no other model is asked', async () => {
    await world.offer([], { fallbacks: [ids['second']] });
    const { id } = await world.submit();
    const refused = new ModelCallError({ reason: 'invalid_request', message: 'bad', retryable: false });
    expect(await run(id, { first: new SequenceModel([refused]), second: NO_MODEL })).toMatchObject({
      status: 'failed',
    });
    expect(NO_MODEL.requests).toEqual([]);
  });

  it('keeps its fallback in later attempts, and fails clearly when that is gone by then', async () => {
    await world.offer([], { fallbacks: [ids['second']] });
    for (const isGone of [false, true]) {
      const { id } = await world.submit();
      const leases = world.makeLeases();
      const dying: ModelPort = {
        call: (_request, _onDelta, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stop')), { once: true });
            leases.fenceAll();
          }),
      };
      const models = { of: modelsOf({ first: failing(), second: dying }) };
      expect(await world.run(id, NO_MODEL, [], { leases, models })).toMatchObject({ status: 'queued' });
      await world.dataSource.query(`UPDATE llm SET is_active = $2 WHERE id = $1`, [ids['second'], !isGone]);
      const second = new SequenceModel([answer('second')]);
      const view = await run(id, { first: NO_MODEL, second });
      if (isGone) expect(view).toMatchObject({ status: 'failed', error: { code: 'INACTIVE_RESOURCE' } });
      else {
        expect(view).toMatchObject({ status: 'completed' });
        expect(await billOf(id)).toEqual(expect.arrayContaining(['second unknown null', 'second known 1.5']));
      }
    }
  });
});
