import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../../worker/worker-world.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';

/** Message data as stored by the previous release, which accepted reports of any shape. */
const KEPT = { savedOrderRequestId: 5, outputReport: { summary: 'All well.', lines: 3 } };
const NOW = {
  savedOrderRequestId: 5,
  outputReport: {
    ...{ summary: 'All well.', orderRequestId: null, customerName: null },
    ...{ readyLines: 0, openLines: 0, review: null },
  },
};

let world: WorkerWorld;
let api: RunningApi;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
  api = await startApi({ DATABASE_URL: world.databaseUrl });
});
afterAll(async () => {
  await api.app.close();
  await world.close();
});

it('data that an earlier release has kept are answered as they are declared now (S2-23)', async () => {
  const submit = () =>
    ask(api.url, '/api/agents/1/execute/', {
      method: 'POST',
      json: { input: 'hello' },
      headers: { 'idempotency-key': 'k-1' },
    });
  const id = String((await submit()).body.id);
  const { session_uuid: session } = await world.run(id, new ScriptedModel([aModelAnswer({ text: 'done' })]));
  await world.dataSource.query(
    `UPDATE chat_message SET data = $2 WHERE execution_id = $1 AND role = 'assistant'`,
    [id, JSON.stringify(KEPT)],
  );

  const answered = { result: { message: { content: 'done', data: NOW } } };
  expect((await ask(api.url, `/api/executions/${id}/`)).body).toMatchObject(answered);
  expect((await submit()).body).toMatchObject(answered);
  const { data } = (await ask(api.url, `/api/sessions/${session}/messages/`)).body;
  expect((data as { role: string; data: object }[]).at(-1)).toMatchObject({ role: 'assistant', data: NOW });
});
