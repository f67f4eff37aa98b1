import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelCallError, type ModelPort } from '#libs/agent-core';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel, SequenceModel } from '../../../support/fakes/scripted-model.js';
import { CLAIM_OPTIONS } from '../../persistence/persistence-world.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const answer = (text: string) => new ScriptedModel([aModelAnswer({ text })]);
/** A model that calls one tool at its first call and answers at its second. */
const askThenAnswer = (toolName: string, text = 'done') =>
  new SequenceModel([aModelAnswer({ toolCalls: [aCall(toolName, 'c1')] }), aModelAnswer({ text })]);

async function rows<T>(sql: string, id: string): Promise<T[]> {
  return world.dataSource.query(sql, [id]);
}

describe('running an execution', () => {
  it('settles it with messages, usage and events (S3-12, S3-14, S3-16, S4-17)', async () => {
    await world.offer([]);
    const { id, sessionId } = await world.submit({ metadata: { order: '7' } });
    const view = await world.run(id, answer('Hello!'));
    expect(view).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: { message: { role: 'assistant', content: 'Hello!', data: {} } },
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost_usd: '0.25' },
      metadata: { order: '7' },
    });
    const messages = await world.messagesOf(sessionId);
    expect(messages.map(({ role, content, turn_number }) => ({ role, content, turn_number }))).toEqual([
      { role: 'system', content: 'Be brief.', turn_number: 1 },
      { role: 'user', content: 'hello', turn_number: 1 },
      { role: 'assistant', content: 'Hello!', turn_number: 1 },
    ]);
    expect(await world.eventNames(id)).toEqual(['session_start', 'status', 'text_delta', 'result']);
    expect((await world.events.readAfter(id, 0, 1))[0]?.id).toBe(2);
    expect(await rows('SELECT round, total_tokens::int FROM usage_log WHERE execution_id = $1', id)).toEqual([
      { round: 1, total_tokens: 15 },
    ]);
  });

  it('goes on in the same conversation with its history, and stores the system prompt only once (S3-11, S3-38)', async () => {
    await world.offer([]);
    const first = await world.submit();
    await world.run(first.id, answer('one'));
    const second = await world.submit({
      sessionId: first.sessionId,
      request: { input: 'and now?', options: {}, additional_data: {} },
    });
    const model = new SequenceModel([aModelAnswer({ text: 'two' })]);
    await world.run(second.id, model);
    expect(model.requests[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'and now?' },
    ]);
    const messages = await world.messagesOf(first.sessionId);
    expect(messages.filter((message) => message.role === 'system')).toHaveLength(1);
  });

  it('bakes what a tool saved into the answer and shows it to the model in the next turn, whose answer has none (S2-24, S2-28, S2-29)', async () => {
    const save = aTool('save', {
      effect: 'idempotent',
      run: () =>
        Promise.resolve({
          result: { status: 'success', result: { message: 'saved', receiptId: 5 } },
          bake: { receiptId: 5 },
          staged: [{ kind: 'receipt.saved', data: { id: 5 } }],
        }),
    });
    await world.offer([save]);
    const first = await world.submit();
    const view = await world.run(first.id, askThenAnswer('save'), [save]);
    expect(view.result?.message.data).toEqual({ receiptId: 5 });
    expect(world.staged).toEqual(['receipt.saved']);
    const second = await world.submit({ sessionId: first.sessionId });
    const model = new SequenceModel([aModelAnswer({ text: 'two' })]);
    const next = await world.run(second.id, model, [save]);
    expect(model.requests[0]?.messages.at(2)?.content).toContain('receiptId: 5');
    expect(next.result?.message.data).toEqual({});
  });

  it('leaves nothing of an execution that fails but its own record (S3-33)', async () => {
    const save = aTool('save', {
      effect: 'idempotent',
      run: () =>
        Promise.resolve({
          result: { status: 'success', result: { message: 'saved', receiptId: 6 } },
          bake: { receiptId: 6 },
          staged: [{ kind: 'receipt.saved', data: { id: 6 } }],
        }),
    });
    await world.offer([save]);
    const { id, sessionId } = await world.submit();
    const staged = [...world.staged];
    const refused = new ModelCallError({ reason: 'invalid_credentials', message: 'no', retryable: false });
    const model = new SequenceModel([aModelAnswer({ toolCalls: [aCall('save', 'c1')] }), refused]);

    const view = await world.run(id, model, [save]);

    expect(view).toMatchObject({
      status: 'failed',
      error: { code: 'SDK_ERROR' },
      usage: { total_tokens: 15 },
    });
    expect(world.staged).toEqual(staged);
    expect(await world.messagesOf(sessionId)).toEqual([]);
    expect(await world.sessions.find('default', sessionId)).toMatchObject({
      title: null,
      title_pending: false,
      session_id: null,
    });
    expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'save', status: 'succeeded' }]);
    const next = new SequenceModel([aModelAnswer({ text: 'anew' })]);
    const second = await world.submit({ sessionId });
    await world.run(second.id, next, [save]);
    expect(next.requests[0]?.messages.map(({ content }) => content)).toEqual(['Be brief.', 'hello']);
  });

  it('keeps an audit row with input and output of each call, and bakes nothing of them (S2-25, S2-31, S4-19)', async () => {
    const tools = [aTool('look')];
    await world.offer(tools);
    const { id } = await world.submit();
    const view = await world.run(id, askThenAnswer('look'), tools);
    expect(view.result?.message.data).toEqual({});
    expect(await world.stepsOf(id)).toMatchObject([
      {
        tool_name: 'look',
        call_id: 'c1',
        status: 'succeeded',
        input: {},
        output: { status: 'success', result: { message: 'look done' } },
      },
    ]);
  });

  it('hides the reason of a tool’s exception from model and followers, and keeps it for the audit (S0-37)', async () => {
    const tools = [aTool('explode', { run: () => Promise.reject(new Error('password=hunter2')) })];
    await world.offer(tools);
    const { id } = await world.submit();
    const model = askThenAnswer('explode', 'sorry');
    await world.run(id, model, tools);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: 'tool invoke error: failed to execute tool',
    });
    const events = JSON.stringify(await world.events.readAfter(id, 0, 100));
    expect(events).not.toContain('hunter2');
    const [step] = await world.stepsOf(id);
    expect(step).toMatchObject({ status: 'failed', error: 'Error: password=***REDACTED***' });
  });

  it('gives up a tool that does not answer in time', async () => {
    const tools = [aTool('sleep', { timeoutMs: 20, run: () => new Promise(() => undefined) })];
    await world.offer(tools);
    const { id } = await world.submit();
    expect(await world.run(id, askThenAnswer('sleep'), tools)).toMatchObject({ status: 'completed' });
    expect(await world.stepsOf(id)).toMatchObject([{ status: 'failed' }]);
  });

  it('does not pretend to know what an unsafe tool that took too long has done', async () => {
    const tools = [
      aTool('charge', { effect: 'unsafe', timeoutMs: 20, run: () => new Promise(() => undefined) }),
    ];
    await world.offer(tools);
    const { id } = await world.submit();
    expect(await world.run(id, askThenAnswer('charge'), tools)).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    });
    expect(await world.stepsOf(id)).toMatchObject([{ status: 'outcome_unknown' }]);
  });

  it('fails visibly when the model cannot be asked, leaves the conversation as it was, and lets the next turn run (S3-33, S4-20, S4-40)', async () => {
    await world.offer([]);
    const { id, sessionId } = await world.submit();
    const down = new SequenceModel([
      new ModelCallError({ reason: 'invalid_credentials', message: 'the key is refused', retryable: false }),
    ]);
    const view = await world.run(id, down);
    expect(view).toMatchObject({
      status: 'failed',
      error: { code: 'SDK_ERROR', message: 'the key is refused' },
      result: null,
    });
    expect(await world.messagesOf(sessionId)).toEqual([]);
    expect((await world.eventNames(id)).slice(-2)).toEqual(['error', 'result']);
    const next = await world.submit({ sessionId });
    expect(await world.run(next.id, answer('back'))).toMatchObject({ status: 'completed', turn_number: 2 });
  });

  it('reports no more than that there was an internal error when our own code throws, and ends (S4-39, S4-40)', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    const broken: ModelPort = { call: () => Promise.reject(new TypeError('secret detail')) };
    expect(await world.run(id, broken)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', message: 'the execution failed because of an internal error' },
    });
  });

  it.each([
    ['options that are not usable', {}, { maximum_iterations: -1 }, 'VALIDATION_ERROR'],
    ['an agent that was switched off since', { is_active: false }, {}, 'INACTIVE_RESOURCE'],
  ])('fails with a clear code for %s', async (_name, agent, options, code) => {
    await world.offer([]);
    const { id } = await world.submit({ request: { input: 'x', options, additional_data: {} } });
    if ('is_active' in agent) await world.dataSource.query('UPDATE agent SET is_active = false WHERE id = 1');
    const view = await world.run(id, answer('never'));
    await world.dataSource.query('UPDATE agent SET is_active = true WHERE id = 1');
    expect(view).toMatchObject({ status: 'failed', error: { code } });
  });

  it('ends incomplete with the partial text at the deadline (S4-38)', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    const slow: ModelPort = {
      call: (_request, onDelta, signal) => {
        onDelta({ kind: 'text', content: 'half an ans' });
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stop')), { once: true }),
        );
      },
    };
    const claimOptions = () => ({ ...CLAIM_OPTIONS, deadlineMs: 60 });
    expect(await world.run(id, slow, [], { claimOptions })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'timeout' },
      result: { message: { content: 'half an ans' } },
    });
    expect(
      await rows('SELECT kind FROM journal_entry WHERE execution_id = $1 ORDER BY sequence', id),
    ).toEqual([
      { kind: 'execution_prepared' },
      { kind: 'model_call_interrupted' },
      { kind: 'deadline_reached' },
      { kind: 'execution_settled' },
    ]);
  });

  it('begins nothing when the database says that the time was up before the claim', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    await world.dataSource.query(
      `UPDATE execution SET deadline_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    const model = answer('never');
    expect(await world.run(id, model)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'timeout' },
    });
    expect(model.requests).toEqual([]);
  });

  it('leaves everything to the next attempt when another worker took over in between', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    const overtaken: ModelPort = {
      call: async () => {
        await world.expireLease(id);
        await world.run(id, answer('the winner'));
        return aModelAnswer({ text: 'the loser' });
      },
    };
    const view = await world.run(id, overtaken);
    expect(view).toMatchObject({
      status: 'completed',
      attempt: 2,
      result: { message: { content: 'the winner' } },
    });
    expect(await rows('SELECT id FROM chat_message WHERE execution_id = $1', id)).toHaveLength(3);
  });

  it('goes back into the line when drained, and is finished by another worker', async () => {
    const tools = [
      aTool('look', {
        run: () => {
          world.drain.abort();
          return Promise.resolve({ result: { status: 'success', result: {} } });
        },
      }),
    ];
    await world.offer(tools);
    const { id } = await world.submit();
    expect(await world.run(id, askThenAnswer('look'), tools)).toMatchObject({ status: 'queued', attempt: 1 });
    world.drain = new AbortController();
    const finisher = new SequenceModel([aModelAnswer({ text: 'finished' })]);
    expect(await world.run(id, finisher, tools)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(await world.eventNames(id)).toContain('attempt_restarted');
  });
});
