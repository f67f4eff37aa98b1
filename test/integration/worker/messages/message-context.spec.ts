import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ModelRequest } from '#libs/agent-core';
import { DomainCatalogue } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { anOrderDraftLine } from '../../../support/builders/order-draft-line.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { DOMAIN } from '../../order-entry/order-entry-database.js';
import { WorkerWorld } from '../worker-world.js';

const domains = new DomainCatalogue<EntityManager>([DOMAIN]);
const EXECUTOR = { user_id: 'u-1', name: 'Ann', email: 'ann@example.com' };

let world: WorkerWorld;
let orderId: number;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
  world.messageData = domains.messageData;
  world.lookUps = domains.lookUps({ manager: world.dataSource.manager });
  orderId = await draft('default');
});
afterAll(async () => {
  await world.close();
});

/** Inserts an order draft of this tenant; returns its id. */
async function draft(tenantId: string): Promise<number> {
  const items = [anOrderDraftLine(), anOrderDraftLine({ status: 'todo' })];
  const [row] = await world.dataSource.query<{ id: number }[]>(
    `INSERT INTO order_entry.order_request (tenant_id, execution_id, customer_name, payload, status)
     VALUES ($1, gen_random_uuid(), 'Harbor Grill', $2, 'draft') RETURNING id`,
    [tenantId, JSON.stringify({ items, isSaved: false })],
  );
  return row?.id ?? 0;
}

/** Runs a turn with an answer that refers to an order; returns the session's id. */
async function namingOrder(id: number): Promise<string> {
  const save = {
    ...aTool('save', {
      effect: 'idempotent',
      run: () =>
        Promise.resolve({
          result: { status: 'success', result: { savedOrderRequestId: id } },
          bake: { savedOrderRequestId: id },
        }),
    }),
    keeps: { baked: z.strictObject({ savedOrderRequestId: z.number() }), staged: new Map() },
  };
  await world.offer([save]);
  const first = await world.submit();
  const model = new SequenceModel([
    aModelAnswer({ toolCalls: [aCall('save', 'c1')] }),
    aModelAnswer({ text: 'Saved.' }),
  ]);
  await world.run(first.id, model, [save]);
  await world.offer([]);
  return first.sessionId;
}

const contentsOf = (request: ModelRequest | undefined) =>
  request?.messages.map(({ content }) => content) ?? [];

it('data named in an answer is shown to the next turn in its current state (S2-26)', async () => {
  const sessionId = await namingOrder(orderId);
  await world.dataSource.query(
    `UPDATE order_entry.order_request SET payload = jsonb_set(payload, '{isSaved}', 'true') WHERE id = $1`,
    [orderId],
  );
  const next = await world.submit({ sessionId });
  const model = new SequenceModel([aModelAnswer({ text: 'ok' })]);
  await world.run(next.id, model);
  expect(contentsOf(model.requests[0])).toContain(
    `Saved.\n\n\n\nsavedOrderRequestId: ${orderId} (confirmed by a person, of Harbor Grill, 2 lines, 1 of them open)`,
  );
});

it('an order of another tenant is a number and nothing else (S2-26)', async () => {
  const foreign = await draft('other');
  const sessionId = await namingOrder(foreign);
  const next = await world.submit({ sessionId });
  const model = new SequenceModel([aModelAnswer({ text: 'ok' })]);
  await world.run(next.id, model);
  expect(contentsOf(model.requests[0])).toContain(`Saved.\n\n\n\nsavedOrderRequestId: ${foreign}`);
});

it('data in a request is looked up for its executor, and unknown data is not (S2-26)', async () => {
  const [customer] = await world.dataSource.query<{ account_number: number; name: string }[]>(
    `SELECT account_number, name FROM order_entry.customer WHERE tenant_id = 'default' LIMIT 1`,
  );
  const users: (string | null)[] = [];
  const { lookUps } = world;
  world.lookUps = new Map(
    [...lookUps].map(([key, lookUp]) => [
      key,
      (value, asker) => {
        users.push(asker.userId);
        return lookUp(value, asker);
      },
    ]),
  );
  const data = { customerAccountNumber: customer?.account_number ?? 0, branchOrgId: 12 };
  const asked = await world.submit({
    request: { input: 'hello', options: {}, additional_data: data, executor: EXECUTOR },
  });
  const model = new SequenceModel([aModelAnswer({ text: 'ok' })]);
  await world.run(asked.id, model);
  world.lookUps = lookUps;
  expect(contentsOf(model.requests[0])).toContain(
    `hello\n\n\n\nbranchOrgId: 12\ncustomerAccountNumber: ${customer?.account_number} (${customer?.name})`,
  );
  expect(users).toEqual(['u-1']);
});

it('a later attempt reads the data of the first one, also after later changes (S2-26)', async () => {
  const changing = await draft('default');
  const sessionId = await namingOrder(changing);
  const look = aTool('look', {
    run: async () => {
      await world.dataSource.query(
        `UPDATE order_entry.order_request SET payload = jsonb_set(payload, '{isSaved}', 'true') WHERE id = $1`,
        [changing],
      );
      world.drain.abort();
      return { result: { status: 'success', result: { message: 'looked' } } };
    },
  });
  await world.offer([look]);
  const next = await world.submit({ sessionId });
  const begun = new SequenceModel([aModelAnswer({ toolCalls: [aCall('look', 'c1')] })]);
  await world.run(next.id, begun, [look]);
  world.drain = new AbortController();
  const later = new SequenceModel([aModelAnswer({ text: 'ok' })]);
  expect(await world.run(next.id, later, [look])).toMatchObject({ status: 'completed', attempt: 2 });
  const shown = contentsOf(begun.requests[0]).find((content) => content.startsWith('Saved.'));
  expect(shown).toContain(`savedOrderRequestId: ${changing} (a draft, of Harbor Grill`);
  expect(contentsOf(later.requests[0])).toContain(shown);
});
