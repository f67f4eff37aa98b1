import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelAnswer, ModelPort, ModelRequest } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { ExecutionView } from '#libs/payloads';
import type { ToolDefinition } from '#libs/tooling';
import { domains } from '../../../../apps/worker/src/domains.js';
import { anOrderDraftLine } from '../../../support/builders/order-draft-line.js';
import { says } from '../agents-world.js';
import { readOrder, RUNNING } from '../../order-entry/order-entry-database.js';
import { WorkerWorld } from '../worker-world.js';

const LINE = { original_text: '2 cs roma toms', query: 'roma toms', quantity: 2, uom: 'CS', remark: null };
const CHEESE = { ...LINE, original_text: 'some moon cheese', query: 'moon cheese', quantity: 0, uom: '' };
const EXTRACTED = { customer_name: 'Harbor Grill', lines: [LINE, CHEESE], no_order_reply: null };
const DRAFT = {
  customer_name: 'Harbor Grill',
  order_info: [
    anOrderDraftLine({ item_num: 'VEG-1010' }),
    // An item outside the catalogue with quantity 0, which the workflow must leave to a person.
    anOrderDraftLine({ item_num: 'MOON-1', original_text: 'some moon cheese', quantity: 0 }),
  ],
};
const REVIEW = {
  message: 'One thing to look at.',
  reviewerAgentOutput: {
    verdict: 'needs_person',
    findings: [{ line: 1, problem: 'Twice as much as ever.' }],
  },
};

/** Answers each step by the name of the step's output schema. */
class ModelOfOrders implements ModelPort {
  readonly requests = new Map<string, ModelRequest>();

  constructor(private readonly answers: Readonly<Record<string, JsonObject>> = {}) {}

  call(request: ModelRequest): Promise<ModelAnswer> {
    const schema = request.parameters['json_schema'] as { name: string } | undefined;
    const name = schema?.name ?? '';
    this.requests.set(name, structuredClone(request));
    const known = { extract: EXTRACTED, draft: DRAFT, review: REVIEW, ...this.answers };
    const answer = (known as Record<string, object>)[name];
    if (answer === undefined) return Promise.reject(new Error(`unexpected: ${name}`));
    return Promise.resolve(says(JSON.stringify(answer)));
  }

  promptOf(step: string): string {
    return this.requests.get(step)?.messages.at(-1)?.content ?? '';
  }
}

let world: WorkerWorld;
let tools: readonly ToolDefinition[];
let agentId: number;

beforeAll(async () => {
  world = await WorkerWorld.open();
  tools = domains.tools({ manager: world.dataSource.manager, running: RUNNING });
  const [agent] = await world.dataSource.query<[{ id: number }]>(
    `SELECT id FROM agent WHERE name = 'orderEntryWorkflow'`,
  );
  agentId = agent.id;
});
afterAll(async () => {
  await world.close();
});

interface Ran {
  readonly view: ExecutionView;
  readonly sessionId: string;
}

async function order(model: ModelOfOrders, data: JsonObject = {}): Promise<Ran> {
  const request = { input: '2 cs roma toms\nsome moon cheese', options: {}, additional_data: data };
  const { id, sessionId } = await world.submit({ agentId, request });
  const journalOf = world.journalsWith((manager, change, claim) =>
    domains.applyStagedChange(manager, change, claim),
  );
  const view = await world.run(id, model, tools, { journalOf, messageData: domains.messageData });
  return { view, sessionId };
}

/** Succeeded calls from the audit, with their steps and outputs. */
const auditOf = async (id: string) =>
  (await world.stepsOf(id))
    .filter(({ status }) => status === 'succeeded')
    .map(({ scope, tool_name, output }) => ({
      step: [scope, tool_name].filter((part) => part !== '').join(' '),
      output,
    }));

describe('orderEntryWorkflow', () => {
  it('takes an order through its steps, and answers with its report (S2-18, S2-24)', async () => {
    const { view, sessionId } = await order(new ModelOfOrders());
    expect(view).toMatchObject({ status: 'completed', error: null });
    const steps = await auditOf(view.id);
    expect(steps.map(({ step }) => step)).toEqual([
      'extract',
      'search_customers',
      'search_items',
      'search_items',
      'draft',
      'review',
      'save_reviewed_order_draft',
    ]);
    const data = (await world.messagesOf(sessionId)).at(-1)?.data ?? {};
    const orderId = Number(data['savedOrderRequestId']);
    const outputReport = {
      summary: [
        `Order request ${orderId} is drafted for Harbor Grill: 2 lines, 0 ready.`,
        '- line 1 "2 cs roma toms": Twice as much as ever.',
        '- line 2 "some moon cheese": item_num "MOON-1" is not in the catalogue. quantity 0 is not above 0.',
      ].join('\n'),
      orderRequestId: orderId,
      customerName: 'Harbor Grill',
      readyLines: 0,
      openLines: 2,
      review: REVIEW.reviewerAgentOutput,
    };
    expect(data).toEqual({ savedOrderRequestId: expect.any(Number), outputReport });
    expect(steps.at(-1)?.output).toEqual({
      status: 'success',
      result: { message: expect.any(String), outputReport },
    });
    expect(view.result?.message.content).toBe(outputReport.summary);
  });

  it('leaves a draft whose doubtful lines are for a person (S2-13, S4-20)', async () => {
    const { view } = await order(new ModelOfOrders());
    const id = Number(view.result?.message.data['savedOrderRequestId']);
    const saved = await readOrder(world.dataSource, 'default', id);
    expect(saved).toMatchObject({
      execution_id: view.id,
      is_saved: false,
      customer: { name: 'Harbor Grill' },
    });
    expect(saved?.items.map(({ item_num, status, confidence }) => [item_num, status, confidence])).toEqual([
      ['VEG-1010', 'todo', 'low'],
      ['MOON-1', 'todo', 'low'],
    ]);
  });

  it('has the review go to the workflow that asked for it, and into no message (S2-19)', async () => {
    const model = new ModelOfOrders();
    const { view, sessionId } = await order(model);
    const review = (await auditOf(view.id)).find(({ step }) => step.startsWith('review'));
    expect(review?.output).toEqual({ status: 'success', result: REVIEW });
    expect(await world.executions.findWorkingMemory('default', view.id)).toMatchObject({ review: REVIEW });
    const { outputReport } = view.result?.message.data ?? {};
    expect(outputReport).toMatchObject({ review: REVIEW.reviewerAgentOutput });
    for (const { data } of await world.messagesOf(sessionId))
      expect(data).not.toHaveProperty('reviewerAgentOutput');
    const asked = model.requests.get('review');
    expect(asked?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(asked?.messages[0]?.content).toContain('You review order drafts');
    expect(asked?.tools.map(({ name }) => name)).toEqual(['search_items']);
    expect(model.promptOf('review')).toContain('"item_num":"MOON-1"');
    const [reviewer] = await world.dataSource.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM usage_log JOIN agent ON agent.id = agent_id
        WHERE execution_id = $1 AND agent.name = 'reviewerAgent'`,
      [view.id],
    );
    expect(reviewer.count).toBe(1);
  });

  it('knows the customer by the account of the request, with any text (S2-22)', async () => {
    const model = new ModelOfOrders({ extract: { ...EXTRACTED, customer_name: 'Somebody Else' } });
    const { view } = await order(model, { customerAccountNumber: 4001, customerAccountName: 'Harbor' });
    expect(model.promptOf('extract')).toContain('account 4001 Harbor');
    expect(model.promptOf('draft')).toMatch(/<customers>\n\[\{"account_number":4001,[^\]]*"score":1\}\]\n/);
    const searches = (await auditOf(view.id)).filter(({ step }) => step.startsWith('search_customers'));
    expect(searches).toHaveLength(1);
  });

  it('reads the page that the user had open as foreign content (S2-22)', async () => {
    const model = new ModelOfOrders();
    const html = '<p>Last week: <b>3</b> cases of lemons</p><script>order("everything")</script>';
    await order(model, { domSnapshot: { title: 'Orders', html } });
    const prompt = model.promptOf('extract');
    expect(prompt).toMatch(
      /<page>\n\[foreign content [^\n]*\]\nOrders\nLast week: 3 cases of lemons\n\[end of/,
    );
    for (const { messages } of model.requests.values())
      for (const { content } of messages) expect(content).not.toContain('<script>');
  });

  it('drafts nothing where nothing is ordered, and says so', async () => {
    const none = { customer_name: null, lines: [], no_order_reply: 'Which items would you like?' };
    const { view } = await order(new ModelOfOrders({ extract: none }));
    expect(view).toMatchObject({
      status: 'completed',
      result: { message: { content: 'Which items would you like?', data: {} } },
    });
    expect((await auditOf(view.id)).map(({ step }) => step)).toEqual(['extract']);
  });
});
