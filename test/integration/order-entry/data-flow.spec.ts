import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domains } from '../../../apps/worker/src/domains.js';
import { anOrderDraftLine } from '../../support/builders/order-draft-line.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { asks, says } from '../worker/agents-world.js';
import { WorkerWorld } from '../worker/worker-world.js';
import { RUNNING } from './order-entry-database.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(async () => {
  await world.close();
});

describe('an order as a model writes it', () => {
  it('becomes its audit, its row, what the model reads and what the user interface shows (S2-38)', async () => {
    const tools = domains.tools({ manager: world.dataSource.manager, running: RUNNING });
    await world.offer(tools);
    const params = {
      customer_name: 'Harbor Grill',
      order_info: [anOrderDraftLine({ pack_size: null })],
    };
    const model = new ScriptedModel([asks(['save_order_draft', params]), says('Saved.')]);
    const journalOf = world.journalsWith((...change) => domains.applyStagedChange(...change));
    const { id, sessionId } = await world.submit();
    const view = await world.run(id, model, tools, { journalOf, messageData: domains.messageData });

    const [row] = await world.dataSource.query<{ id: number; payload: object }[]>(
      `SELECT id, payload FROM order_entry.order_request WHERE execution_id = $1`,
      [id],
    );
    expect(row?.payload).toEqual({ items: [anOrderDraftLine({ pack_size: '' })], isSaved: false });
    const result = {
      status: 'success',
      result: {
        message: `Order request ${row?.id} is saved as a draft: 1 lines, 0 of them todo.`,
        savedOrderRequestId: row?.id,
      },
    };
    expect(await world.stepsOf(id)).toMatchObject([
      { tool_name: 'save_order_draft', input: params, output: result, status: 'succeeded' },
    ]);
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: JSON.stringify(result),
    });
    const baked = { savedOrderRequestId: row?.id };
    expect(view).toMatchObject({
      status: 'completed',
      result: { message: { content: 'Saved.', data: baked } },
    });
    expect((await world.messagesOf(sessionId)).map(({ role, data }) => [role, data])).toEqual([
      ['system', {}],
      ['user', {}],
      ['assistant', baked],
    ]);
    const events = JSON.stringify(await world.events.readAfter(id, 0, 1_000));
    expect(events).toContain('savedOrderRequestId');
    expect(events).not.toContain('is saved as a draft');
  });
});
