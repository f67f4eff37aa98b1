import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelCallError } from '#libs/agent-core';
import {
  CancellationStore,
  MessageLogStore,
  SessionChangesStore,
  type LogMessageView,
} from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
let log: MessageLogStore;
beforeAll(async () => {
  world = await WorkerWorld.open();
  log = new MessageLogStore(world.dataSource);
});
afterAll(() => world.close());

async function readAll(sessionId: string, limit = 100, tenantId = 'default'): Promise<LogMessageView[]> {
  const messages: LogMessageView[] = [];
  for (;;) {
    const page = await log.list(tenantId, sessionId, { afterSequence: messages.at(-1)?.message_seq, limit });
    messages.push(...page.rows);
    if (!page.hasMore) return messages;
  }
}

const shape = (messages: readonly LogMessageView[]) =>
  messages.map(({ message_seq, message_type, message_subtype, turn_number }) =>
    [message_seq, turn_number, message_type, message_subtype ?? ''].join(' ').trim(),
  );

async function turn(input: string, model: SequenceModel, sessionId?: string) {
  const request = { input, options: {}, additional_data: {} };
  const submitted = await world.submit({ request, ...(sessionId !== undefined && { sessionId }) });
  const view = await world.run(submitted.id, model, [aTool('look')]);
  return { ...submitted, view };
}

describe('the message log of a session (S4-18, S4-21 … S4-27)', () => {
  it('has the types and the sequence of S4, over all turns', async () => {
    await world.offer([aTool('look')]);
    const calls = [aCall('look', 'c1'), aCall('look', 'c2', { again: true })];
    const asking = new SequenceModel([
      aModelAnswer({ thinking: 'hm', text: 'I look.', toolCalls: calls }),
      aModelAnswer({ text: 'found' }),
    ]);
    const first = await turn('look twice', asking);
    await turn('again', new SequenceModel([aModelAnswer({ text: 'no' })]), first.sessionId);

    const messages = await readAll(first.sessionId);

    expect(shape(messages)).toEqual([
      '1 1 user',
      '2 1 system init',
      '3 1 assistant',
      '4 1 user_result',
      '5 1 user_result',
      '6 1 assistant',
      '7 1 result success',
      // A continued engine session has `init` only once.
      '8 2 user',
      '9 2 assistant',
      '10 2 result success',
    ]);
    expect(messages[0]).toMatchObject({ content: { text: 'look twice' }, execution_id: first.id });
    expect(messages[1]?.content).toEqual({ session_id: first.id });
    expect(messages[2]?.content).toMatchObject({
      content_blocks: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', tool_use_id: 'c1', tool_name: 'look', tool_input: {} },
        { type: 'tool_use', tool_use_id: 'c2', tool_name: 'look', tool_input: { again: true } },
      ],
    });
    const results = messages.slice(3, 5).flatMap(({ content }) => content['content_blocks']);
    expect(results).toEqual([
      expect.objectContaining({ type: 'tool_result', tool_use_id: 'c1', is_error: false }),
      expect.objectContaining({ type: 'tool_result', tool_use_id: 'c2', is_error: false }),
    ]);
    expect(messages[6]?.content).toMatchObject({
      result: 'found',
      is_error: false,
      errors: [],
      usage: first.view.usage,
      num_turns: 2,
      session_id: first.id,
    });
    expect(messages.map(({ timestamp }) => timestamp)).toEqual(
      messages.map(({ timestamp }) => timestamp).toSorted(),
    );
  });

  it('is the same page by page, and visible to its tenant only (S4-18)', async () => {
    const { sessionId } = await turn('hello', new SequenceModel([aModelAnswer({ text: 'hi' })]));
    expect(await readAll(sessionId, 1)).toEqual(await readAll(sessionId));
    expect(await readAll(sessionId, 100, 'another')).toEqual([]);
  });

  it('has failures, and begins an engine session after a reset', async () => {
    const failing = new ModelCallError({ reason: 'x', message: 'no such model', retryable: false });
    const first = await turn('hello', new SequenceModel([failing]));
    await turn('hello', new SequenceModel([aModelAnswer({ text: 'hi' })]), first.sessionId);
    await new SessionChangesStore(world.dataSource).reset('default', first.sessionId);
    await turn('hello', new SequenceModel([aModelAnswer({ text: 'hi' })]), first.sessionId);

    const messages = await readAll(first.sessionId);

    expect(shape(messages)).toEqual([
      '1 1 user',
      '2 1 result error_during_execution',
      '3 2 user',
      '4 2 system init',
      '5 2 assistant',
      '6 2 result success',
      '7 3 user',
      '8 3 system init',
      '9 3 assistant',
      '10 3 result success',
    ]);
    expect(messages[1]?.content).toMatchObject({ result: null, is_error: true, errors: [first.view.error] });
  });

  it('shows an execution when all before it have ended, so that no number ever changes', async () => {
    const waiting = await world.submit();
    const later = await world.submit({ sessionId: waiting.sessionId });
    await new CancellationStore(world.dataSource).request('default', later.id);
    expect(await readAll(waiting.sessionId)).toEqual([]);

    await world.run(waiting.id, new SequenceModel([aModelAnswer({ text: 'hi' })]), [aTool('look')]);

    expect(shape(await readAll(waiting.sessionId))).toEqual([
      '1 1 user',
      '2 1 system init',
      '3 1 assistant',
      '4 1 result success',
      '5 2 user',
      '6 2 result error_during_execution',
    ]);
  });
});
