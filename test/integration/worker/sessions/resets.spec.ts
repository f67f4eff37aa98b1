import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { SessionChangesStore } from '#libs/persistence';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { ScriptedModel, SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
});
afterAll(() => world.close());

const answering = (text: string): ModelPort => new ScriptedModel([aModelAnswer({ text })]);

async function settleOne(input: string, model: ModelPort, sessionId?: string) {
  const submitted = await world.submit({
    request: { input, options: {}, additional_data: {} },
    ...(sessionId !== undefined && { sessionId }),
  });
  await world.run(submitted.id, model);
  return submitted;
}

describe('a reset (S4-35)', () => {
  const engineOf = async (sessionId: string) => (await world.sessions.find('default', sessionId))?.session_id;
  const contentsOf = (model: SequenceModel) =>
    model.requests.map(({ messages }) => messages.map(({ content }) => content));

  it('holds for running executions: they name no engine session, and later prompts omit their turns', async () => {
    const first = await settleOne('first', answering('one'));
    const changes = new SessionChangesStore(world.dataSource);
    const resetting: ModelPort = {
      call: async () => {
        await changes.reset('default', first.sessionId);
        return aModelAnswer({ text: 'two' });
      },
    };
    await settleOne('second', resetting, first.sessionId);
    expect(await engineOf(first.sessionId)).toBeNull();

    const after = new SequenceModel([aModelAnswer({ text: 'three' })]);
    const third = await settleOne('third', after, first.sessionId);
    expect(contentsOf(after)).toEqual([['Be brief.', 'third']]);
    expect(await engineOf(first.sessionId)).toBe(third.id);
  });

  it('leaves what still waits to the new beginning, also where it is repeated', async () => {
    const first = await settleOne('first', answering('one'));
    const waiting = await world.submit({
      sessionId: first.sessionId,
      request: { input: 'waiting', options: {}, additional_data: {} },
    });
    const changes = new SessionChangesStore(world.dataSource);
    for (let n = 0; n < 2; n += 1) await changes.reset('default', first.sessionId);

    const model = new SequenceModel([aModelAnswer({ text: 'two' }), aModelAnswer({ text: 'three' })]);
    await world.run(waiting.id, model);
    await settleOne('third', model, first.sessionId);
    expect(contentsOf(model)).toEqual([
      ['Be brief.', 'waiting'],
      ['Be brief.', 'waiting', 'two', 'third'],
    ]);
    expect(await engineOf(first.sessionId)).toBe(waiting.id);
  });
});
