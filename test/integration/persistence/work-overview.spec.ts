import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readWorkOverview, WebhookEndpointStore, type WorkOverview } from '#libs/persistence';
import { aModelAnswer } from '../../support/builders/model-answer.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { insertDocuments } from '../../support/services/insert-datasource.js';
import { WorkerWorld } from '../worker/worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const read = (): Promise<WorkOverview> => readWorkOverview(world.dataSource, 2);

async function lines(): Promise<Record<string, number[]>> {
  const { lines } = await read();
  return Object.fromEntries(
    lines.map(({ kind, state, depth, oldestSeconds }) => [
      `${kind} ${state}`,
      [depth, Math.floor(oldestSeconds / 60)],
    ]),
  );
}

const NOTHING = {
  'execution due': [0, 0],
  'execution later': [0, 0],
  'execution running': [0, 0],
  'execution requires_action': [0, 0],
  'webhook pending': [0, 0],
  'title pending': [0, 0],
  'memory pending': [0, 0],
  'summary pending': [0, 0],
  'document due': [0, 0],
  'document later': [0, 0],
  'document running': [0, 0],
};

it('says of every kind how much there is and how old the oldest is, in minutes here, and nothing of what is done', async () => {
  expect(await lines()).toEqual(NOTHING);
  const endpoint = { url: 'https://example.test/hook', events: ['execution.completed' as const] };
  await new WebhookEndpointStore(world.dataSource).create('default', endpoint, () => 'sealed');
  await world.offer([], { memory: { enabled: true } });
  const executor = { user_id: 'mara', name: 'n', email: 'e' };
  const done = await world.submit({
    request: { input: 'hello', options: {}, additional_data: {}, executor },
  });
  await world.run(done.id, new ScriptedModel([aModelAnswer({ text: 'Here you are.' })]));
  const [due, , postponed, running, waiting] = [
    await world.submit(),
    // A second turn, which waits for the first turn of its session.
    await world.submit({ sessionId: (await world.submit()).sessionId }),
    await world.submit(),
    await world.submit(),
    await world.submit(),
  ];
  const set = (id: string, change: string): Promise<unknown> =>
    world.dataSource.query(`UPDATE execution SET ${change} WHERE id = $1`, [id]);
  const ago = (minutes: number): string => `now() - interval '${minutes} minutes 10 seconds'`;
  await set(due.id, `created_at = ${ago(9)}, head_since = ${ago(9)}`);
  await set(postponed.id, `created_at = ${ago(20)}, due_at = now() + interval '1 hour'`);
  await set(running.id, `status = 'running', started_at = ${ago(3)}, lost_attempts = 2`);
  await set(waiting.id, `status = 'requires_action', created_at = ${ago(7)}`);
  await world.dataSource.query(`UPDATE webhook_delivery SET created_at = ${ago(2)}`);
  await world.dataSource.query(`UPDATE session_title SET created_at = ${ago(4)}`);
  await world.dataSource.query(`UPDATE memory_extraction SET created_at = ${ago(5)}`);
  await world.dataSource.query(
    `INSERT INTO session_summary_order (session_id, tenant_id, execution_id, model, most_messages, most_tokens, created_at)
     VALUES ($1, 'default', $2, 'a-model', 10, 1000, ${ago(6)})`,
    [done.sessionId, done.id],
  );
  await insertDocuments(world.dataSource, [
    `due_at = ${ago(11)}`,
    `due_at = ${ago(30)}, lease_expires_at = ${ago(12)}`,
    `due_at = now() + interval '1 hour'`,
    `created_at = ${ago(13)}, lease_expires_at = now() + interval '1 minute'`,
    `created_at = ${ago(90)}, finished_at = now()`,
  ]);
  await world.dataSource.query(`INSERT INTO worker (id, places) VALUES ('a', 50), ('b', 0)`);

  expect(await lines()).toEqual({
    'execution due': [2, 9],
    'execution later': [2, 0],
    'execution running': [1, 3],
    'execution requires_action': [1, 7],
    'webhook pending': [1, 2],
    'title pending': [1, 4],
    'memory pending': [1, 5],
    'summary pending': [1, 6],
    'document due': [2, 12],
    'document later': [1, 0],
    'document running': [1, 13],
  });
  expect(await read()).toMatchObject({ suspects: 1, workers: 2, places: 50 });
});
