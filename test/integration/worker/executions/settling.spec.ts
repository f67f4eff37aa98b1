import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookEndpointStore, type ApplyStagedChange } from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel, SequenceModel } from '../../../support/fakes/scripted-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

describe('the settling transaction', () => {
  it('is repeated, and nothing else, when its connection breaks between two of its statements', async () => {
    const change = { kind: 'receipt.saved', data: {} };
    const result = { status: 'success', result: {} } as const;
    const save = aTool('save', { run: () => Promise.resolve({ result, staged: [change] }) });
    await world.offer([save]);
    const { id } = await world.submit();
    const savesThenAnswers = new SequenceModel([
      aModelAnswer({ toolCalls: [aCall('save', 'c1')] }),
      aModelAnswer({ text: 'done' }),
    ]);
    let tries = 0;
    const loseConnection: ApplyStagedChange = async (manager) => {
      tries += 1;
      if (tries > 1) return;
      const [backend] = await manager.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
      await world.dataSource.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
      await waitFor(() => manager.queryRunner?.isReleased, { description: 'the loss to be noticed' });
    };
    const journalOf = world.journalsWith(loseConnection);
    const view = await world.run(id, savesThenAnswers, [save], { journalOf });
    expect(view).toMatchObject({ status: 'completed', attempt: 1 });
    expect(tries).toBe(2);
  });

  it('freezes a webhook body for each endpoint that asked for the event', async () => {
    await world.offer([]);
    const endpoints = new WebhookEndpointStore(world.dataSource);
    const url = 'https://example.test/hook';
    await endpoints.create('default', { url, events: ['execution.completed'] }, () => 'sealed');
    await endpoints.create('default', { url, events: ['execution.failed'] }, () => 'sealed');
    await endpoints.create('other', { url, events: ['execution.completed'] }, () => 'sealed');
    const { id } = await world.submit();
    const view = await world.run(id, new ScriptedModel([aModelAnswer({ text: 'Hello!' })]));
    const sql = 'SELECT body FROM webhook_delivery WHERE execution_id = $1';
    const deliveries = await world.dataSource.query<{ body: string }[]>(sql, [id]);
    expect(deliveries).toHaveLength(1);
    expect(JSON.parse(deliveries[0]?.body ?? '')).toEqual({
      type: 'execution.completed',
      timestamp: view.finished_at,
      data: view,
    });
  });
});
