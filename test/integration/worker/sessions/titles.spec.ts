import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ModelCallError, type ModelPort } from '#libs/agent-core';
import { NO_METER } from '#libs/executions';
import { SessionChangesStore, SessionTitleStore } from '#libs/persistence';
import { GenerateTitle } from '../../../../apps/worker/src/titles/generate-title.js';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { ScriptedModel, SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

const NOW_DUE = { limit: 100, redispatchAfterMs: 30_000 };

let world: WorkerWorld;
let titles: SessionTitleStore;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
  titles = new SessionTitleStore(world.dataSource);
});
afterAll(() => world.close());

const answering = (text: string): ModelPort => new ScriptedModel([aModelAnswer({ text })]);
const FAILED = new ModelCallError({ reason: 'overloaded', message: 'busy', retryable: true });

async function settleOne(input = 'Tomatoes, please', model = answering('Sure.'), sessionId?: string) {
  const announced: string[] = [];
  const submitted = await world.submit({
    request: { input, options: {}, additional_data: {} },
    ...(sessionId !== undefined && { sessionId }),
  });
  const view = await world.run(submitted.id, model, [], { onTitlePending: (id) => announced.push(id) });
  return { ...submitted, view, announced };
}

function generator(model: ModelPort | null): GenerateTitle {
  const resolved = { model: model as ModelPort, costOf: () => '0.01' };
  return new GenerateTitle({
    titles,
    resolve: () => ({ resolved, parameters: { max_output_tokens: 100 } }),
    asksModels: model !== null,
    events: world.events,
    logger: pino({ level: 'silent' }),
    meter: NO_METER,
  });
}

async function titleOf(sessionId: string): Promise<string | null | undefined> {
  return (await world.sessions.find('default', sessionId))?.title;
}

function usageOf(
  executionId: string,
): Promise<{ try_number: number; state: string; total_tokens: number | null }[]> {
  return world.dataSource.query(
    `SELECT try_number, state, total_tokens::int FROM usage_log
      WHERE execution_id = $1 AND purpose = 'title' ORDER BY try_number`,
    [executionId],
  );
}

/** Expires the lease `interval` ago, as if the worker had died during its try. */
async function letLeaseEnd(executionId: string, interval = '1 second'): Promise<void> {
  await world.dataSource.query(
    `UPDATE session_title SET lease_expires_at = now() - $2::interval, created_at = created_at - interval '1 minute'
      WHERE execution_id = $1`,
    [executionId, interval],
  );
}

describe('the title of a session (S4-41 … S4-43)', () => {
  it('is asked for after the result, emitted after it, and paid for by itself', async () => {
    const { id, sessionId, view, announced } = await settleOne();
    expect(announced).toEqual([id]);
    expect(await world.sessions.find('default', sessionId)).toMatchObject({
      title: null,
      title_pending: true,
    });
    const model = new SequenceModel([aModelAnswer({ text: 'Tomatoes for Friday' })]);

    await generator(model).execute(id);

    expect(model.requests[0]).toMatchObject({ tools: [], parameters: { max_output_tokens: 100 } });
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/Tomatoes, please.*Sure\./);
    expect(await world.sessions.find('default', sessionId)).toMatchObject({
      title: 'Tomatoes for Friday',
      title_pending: false,
    });
    const [result, title] = (await world.events.readAfter(id, 0, 100)).slice(-2);
    expect(result).toMatchObject({ event: 'result', data: { id: view.id, title_pending: true } });
    expect(title).toMatchObject({
      id: (result?.id ?? 0) + 1,
      event: 'title_generated',
      data: { title: 'Tomatoes for Friday' },
    });
    expect(await usageOf(id)).toEqual([{ try_number: 1, state: 'known', total_tokens: 15 }]);
    expect((await world.executions.find('default', id))?.usage).toMatchObject({ total_tokens: 15 });
  });

  it('is given once: a second turn and a second job change nothing', async () => {
    const first = await settleOne();
    await generator(answering('The title')).execute(first.id);

    const second = await settleOne(
      'And now?',
      new SequenceModel([aModelAnswer({ text: 'two' })]),
      first.sessionId,
    );
    await generator(answering('Another title')).execute(first.id);
    await generator(answering('Another title')).execute(second.id);

    expect(second.announced).toEqual([]);
    expect(await titleOf(first.sessionId)).toBe('The title');
    expect((await world.eventNames(second.id)).at(-1)).toBe('result');
  });

  it('waits for an execution that succeeds (S4-41)', async () => {
    const failing = new ModelCallError({ reason: 'x', message: 'no', retryable: false });
    const first = await settleOne('hello', new SequenceModel([failing]));
    expect([first.view.status, first.announced]).toEqual(['failed', []]);
    const cut = new SequenceModel([aModelAnswer({ text: 'half', incompleteReason: 'max_output_tokens' })]);
    const second = await settleOne('hello again', cut, first.sessionId);
    expect([second.view.status, second.announced]).toEqual(['incomplete', []]);

    const last = new SequenceModel([aModelAnswer({ text: 'hi' })]);
    const third = await settleOne('hello once more', last, first.sessionId);

    expect(third.announced).toEqual([third.id]);
  });

  it('is the first 50 characters of the input after two tries in vain, both recorded', async () => {
    const input = 'long '.repeat(20);
    const { id, sessionId } = await settleOne(input);
    const model = new SequenceModel([FAILED, aModelAnswer({ text: '' }), aModelAnswer({ text: 'a third' })]);

    await generator(model).execute(id);

    expect(model.requests).toHaveLength(2);
    expect(await titleOf(sessionId)).toBe(input.slice(0, 50).trim());
    expect(await usageOf(id)).toEqual([
      { try_number: 1, state: 'failed', total_tokens: null },
      { try_number: 2, state: 'known', total_tokens: 15 },
    ]);
  });

  it('is given by another worker when the first one died in its try, whose usage is unknown', async () => {
    const { id, sessionId } = await settleOne();
    expect(await titles.claim(id, 60_000, null)).toMatchObject({ tryNumber: 1 });
    await generator(answering('too early')).execute(id);
    expect(await titleOf(sessionId)).toBeNull();
    expect(await titles.take({ ...NOW_DUE, announced: [id] })).not.toContainEqual({ executionId: id });

    await letLeaseEnd(id);
    expect(await titles.take({ ...NOW_DUE, announced: [] })).toContainEqual({ executionId: id });
    expect(await titles.take({ ...NOW_DUE, announced: [] })).not.toContainEqual({ executionId: id });
    await generator(answering('Of the second worker')).execute(id);

    expect(await titleOf(sessionId)).toBe('Of the second worker');
    expect((await usageOf(id)).map(({ state }) => state)).toEqual(['unknown', 'known']);
  });

  it('is not tried by who held a try that another worker has followed by its own', async () => {
    const { id } = await settleOne();
    expect(await titles.claim(id, 60_000, null)).toMatchObject({ tryNumber: 1 });
    await letLeaseEnd(id);
    expect(await titles.claim(id, 60_000, null)).toMatchObject({ tryNumber: 2 });
    expect(await titles.claim(id, 60_000, { tryNumber: 1, isModelAway: false })).toBeNull();
    expect((await titles.claim(id, 60_000, { tryNumber: 2, isModelAway: false }))?.tryNumber).toBe(3);
  });

  it('is taken from the input when 20 s have passed since the first try', async () => {
    const { id, sessionId } = await settleOne('the input');
    await titles.claim(id, 60_000, null);
    await letLeaseEnd(id);
    await world.dataSource.query(
      `UPDATE session_title SET first_tried_at = now() - interval '20 seconds' WHERE execution_id = $1`,
      [id],
    );
    const model = new SequenceModel([]);

    await generator(model).execute(id);

    expect(model.requests).toHaveLength(0);
    expect(await titleOf(sessionId)).toBe('the input');
  });

  it('is due by itself when its worker died between settling and emitting', async () => {
    const { id } = await settleOne();
    expect(await titles.take({ ...NOW_DUE, announced: [] })).not.toContainEqual({ executionId: id });

    await world.dataSource.query(
      `UPDATE session_title SET created_at = now() - interval '6 seconds' WHERE execution_id = $1`,
      [id],
    );

    expect(await titles.take({ ...NOW_DUE, announced: [] })).toContainEqual({ executionId: id });
  });

  it('is not emitted where the result is not the last event: followers have it from the database', async () => {
    const { id } = await settleOne();
    await world.events.delete(id);

    await generator(answering('The title')).execute(id);

    expect(await world.eventNames(id)).toEqual([]);
    expect(await world.executions.findEnding('default', id)).toMatchObject({
      result: { title_pending: true },
      title: 'The title',
    });
  });

  it('is taken from the input where no model is to be asked', async () => {
    const { id, sessionId } = await settleOne('no model');

    await generator(null).execute(id);

    expect(await titleOf(sessionId)).toBe('no model');
    expect(await usageOf(id)).toEqual([]);
  });

  it('is dropped when the session was deleted in between, but its cost is kept', async () => {
    const { id, sessionId } = await settleOne();
    const deleting: ModelPort = {
      call: async () => {
        await new SessionChangesStore(world.dataSource).delete('default', sessionId);
        return aModelAnswer({ text: 'too late' });
      },
    };

    await generator(deleting).execute(id);

    expect(await usageOf(id)).toEqual([{ try_number: 1, state: 'known', total_tokens: 15 }]);
    expect(await world.sessions.find('default', sessionId)).toBeNull();
    expect((await world.eventNames(id)).at(-1)).toBe('result');
  });
});

describe('the result event (S4-27)', () => {
  it('says beside the execution how it went', async () => {
    const { id, view } = await settleOne();
    const result = (await world.events.readAfter(id, 0, 100)).find((event) => event.event === 'result');
    expect(result?.data).toEqual({
      ...view,
      is_error: false,
      errors: [],
      num_turns: 1,
      duration_ms: Date.parse(view.finished_at ?? '') - Date.parse(view.started_at ?? ''),
      session_id: id,
      title_pending: true,
    });
    expect(await world.executions.findEnding('default', id)).toEqual({ result: result?.data, title: null });
  });

  it('says of a failure what was wrong, and names no engine session', async () => {
    const failing = new ModelCallError({ reason: 'x', message: 'no such model', retryable: false });
    const { id, view } = await settleOne('hello', new SequenceModel([failing]));
    const result = (await world.events.readAfter(id, 0, 100)).find((event) => event.event === 'result');
    expect(result?.data).toMatchObject({
      is_error: true,
      errors: [view.error],
      num_turns: 0,
      session_id: null,
      title_pending: false,
    });
  });
});

describe('the engine session of a conversation (S4-15, S4-34)', () => {
  it('goes on until a reset, and then begins afresh with the prompt that it began with (S4-35)', async () => {
    const first = await settleOne('first', answering('one'));
    const changes = new SessionChangesStore(world.dataSource);
    const before = new SequenceModel([aModelAnswer({ text: 'two' })]);
    await settleOne('second', before, first.sessionId);
    expect(before.requests[0]?.messages).toHaveLength(4);
    expect((await world.sessions.find('default', first.sessionId))?.session_id).toBe(first.id);

    expect(await changes.reset('default', first.sessionId)).toBe('changed');
    expect((await world.sessions.find('default', first.sessionId))?.session_id).toBeNull();
    const after = new SequenceModel([aModelAnswer({ text: 'three' }), aModelAnswer({ text: 'four' })]);
    const third = await settleOne('third', after, first.sessionId);
    await settleOne('fourth', after, first.sessionId);

    expect(after.requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ['Be brief.', 'third'],
      ['Be brief.', 'third', 'three', 'fourth'],
    ]);
    expect((await world.sessions.find('default', first.sessionId))?.session_id).toBe(third.id);
    const messages = await world.messagesOf(first.sessionId);
    expect(messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      'first',
      'one',
      'second',
      'two',
      'third',
      'three',
      'fourth',
      'four',
    ]);
  });
});
