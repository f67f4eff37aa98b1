import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import { domains } from '../../../../apps/worker/src/domains.js';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
});
afterAll(() => world.close());

const run = (id: string, model: ModelPort) => world.run(id, model, [], { messageData: domains.messageData });
const completedCall = async (id: string): Promise<{ data: JsonObject } | undefined> => {
  const [fact] = await world.dataSource.query<{ data: JsonObject }[]>(
    `SELECT data FROM journal_entry WHERE execution_id = $1 AND kind = 'model_call_completed'`,
    [id],
  );
  return fact;
};

it('annotations of the provider in an answer are stored with it, and shown to no model (S2-23)', async () => {
  const annotations = [
    { type: 'url_citation', start_index: 0, end_index: 3, url: 'https://a.example', title: 'A' },
    { type: 'something_new', x: 1 },
  ];
  const { id, sessionId } = await world.submit({
    request: { input: 'What is it?', options: {}, additional_data: {} },
  });
  const view = await run(id, new ScriptedModel([aModelAnswer({ text: 'Red.', annotations })]));
  const data = { openaiFileAnnotations: annotations };
  expect(view.result?.message).toMatchObject({ content: 'Red.', data });
  expect((await world.messagesOf(sessionId)).at(-1)).toMatchObject({ role: 'assistant', data });
  const events = await world.events.readAfter(id, 0, 100);
  expect(events.at(-1)).toMatchObject({ event: 'result', data: { result: { message: { data } } } });
  expect(await completedCall(id)).toMatchObject({
    data: { answer: { annotations } },
  });
  const next = await world.submit({
    ...{ sessionId, request: { input: 'Why?', options: {}, additional_data: {} } },
  });
  const model = new ScriptedModel([aModelAnswer({ text: 'Tomatoes.' })]);
  await run(next.id, model);
  expect(JSON.stringify(model.requests[0])).not.toContain('url_citation');
});
