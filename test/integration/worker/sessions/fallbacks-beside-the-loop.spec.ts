import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SessionSummaryStore, SessionTitleStore } from '#libs/persistence';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
const ids: number[] = [];
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.dataSource.query(`INSERT INTO tenant (id, name) VALUES ('stranger', 'stranger')`);
  for (const [tenant, isActive] of [
    ['default', true],
    ['default', true],
    ['default', false],
    ['stranger', true],
  ] as const) {
    const [row] = await world.dataSource.query<[{ id: number }]>(
      `INSERT INTO llm (tenant_id, name, provider, model, is_active) VALUES ($1, 'x', 'openai', 'm', $2) RETURNING id`,
      [tenant, isActive],
    );
    ids.push(row.id);
  }
});
afterAll(() => world.close());

it('a title and a summary know the active fallbacks of their tenant, in order; those of the request win', async () => {
  const [one = 0, two = 0, inactive = 0, foreign = 0] = ids;
  await world.offer([], { fallbacks: [two, inactive, 999, foreign, one], history_tokens: 200 });
  const long = { input: 'x'.repeat(400), additional_data: {} };
  for (const [options, wanted] of [
    [{}, [two, one]],
    [{ fallbacks: [one] }, [one]],
    [{ fallbacks: [] }, []],
  ] as const) {
    const { id, sessionId } = await world.submit({ request: { ...long, options } });
    await world.run(id, new SequenceModel([aModelAnswer({ text: 'y'.repeat(400) })]));

    const title = await new SessionTitleStore(world.dataSource).claim(id, 1_000, null);
    expect(title?.fallbacks.map((llm) => llm.id)).toEqual(wanted);
    const summary = await new SessionSummaryStore(world.dataSource).claim(sessionId, randomUUID(), 1_000);
    expect(summary?.fallbacks).toEqual(title?.fallbacks);
  }
});

it('a title is asked of its fallback by another worker, too, once the model was found away', async () => {
  await world.offer([]);
  const titles = new SessionTitleStore(world.dataSource);
  const { id } = await world.submit({ request: { input: 'x', options: {}, additional_data: {} } });
  await world.run(id, new SequenceModel([aModelAnswer({ text: 'y' })]));
  const claim = (held: { tryNumber: number; isModelAway: boolean } | null) => titles.claim(id, 60_000, held);
  expect(await claim(null)).toMatchObject({ tryNumber: 1, fallbackFrom: null });
  expect(await claim({ tryNumber: 1, isModelAway: true })).toMatchObject({ tryNumber: 2, fallbackFrom: 2 });
  const expire = `UPDATE session_title SET lease_expires_at = now() - interval '1 second' WHERE execution_id = $1`;
  await world.dataSource.query(expire, [id]);
  expect(await claim(null)).toMatchObject({ tryNumber: 3, fallbackFrom: 2 });
  expect(await claim({ tryNumber: 3, isModelAway: true })).toMatchObject({ tryNumber: 4, fallbackFrom: 2 });
});

it('a summary that is put off by no time is due at once', async () => {
  const summaries = new SessionSummaryStore(world.dataSource);
  await world.offer([], { history_tokens: 200 });
  const { id, sessionId } = await world.submit({
    request: { input: 'x'.repeat(400), options: {}, additional_data: {} },
  });
  await world.run(id, new SequenceModel([aModelAnswer({ text: 'y'.repeat(400) })]));
  const first = await summaries.claim(sessionId, randomUUID(), 60_000);
  if (first === null) throw new Error('a summary is due');
  expect(await summaries.claim(sessionId, randomUUID(), 60_000)).toBeNull();
  await summaries.putOff(first, null, 0);
  expect(await summaries.claim(sessionId, randomUUID(), 60_000)).toMatchObject({ tryNumber: 2 });
});
