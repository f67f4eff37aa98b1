import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '#libs/agent-core';
import type { ToolDefinition } from '#libs/tooling';
import { aTool } from '../../support/builders/tool.js';
import { PatternsWorld, scripted, THOUGHT, thoughtful } from './patterns-world.js';
import { STRATEGIES } from './strategy-world.js';

const LIST_SCHEMA = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'string' } } },
  required: ['items'],
  additionalProperties: false,
};

let world: PatternsWorld;
let charges: string[];
let tools: readonly ToolDefinition[];
beforeAll(async () => {
  world = await PatternsWorld.open();
});
afterAll(() => world.close());
beforeEach(() => {
  charges = [];
  const charge: ToolDefinition['run'] = (_input, { idempotencyKey }) => {
    charges.push(idempotencyKey.slice(idempotencyKey.indexOf('.') + 1));
    return Promise.resolve({ result: { status: 'success', result: { message: 'charged' } } });
  };
  tools = [aTool('look'), aTool('charge', { effect: 'unsafe', run: charge })];
});

const calls = (name: string, args: object = {}) => ({
  ...thoughtful('I go on.'),
  calls: [{ name, arguments: args }],
});

/** Expects the strategy's policies around the system prompt of each loop. */
function expectPolicies(requests: readonly ModelRequest[]): void {
  for (const { messages } of requests)
    expect(messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/^Be brief\..*<persistence>.*<tool_preamble>/s),
    });
}

const outputsOf = (requests: readonly ModelRequest[]): string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []));

describe.each(STRATEGIES)('an agent of the strategy %s (S0-16, S1-64)', (strategy) => {
  const SHOWN = { strategy };
  const HIDDEN = { strategy, emit_intermediate_thoughts: false };

  const STEPS = (agent: number) => [
    { name: 'sort', kind: 'llm', prompt: scripted(thoughtful('order')), tools: [] },
    {
      name: 'list',
      kind: 'llm',
      prompt: scripted(thoughtful('two of them'), thoughtful('{"items": ["a", "b"]}')),
      tools: [],
      output_schema: LIST_SCHEMA,
    },
    {
      name: 'choose',
      kind: 'branch',
      cases: [{ when: { value: '/steps/sort', equals: 'order' }, then: 'find' }],
      otherwise: 'end',
    },
    { name: 'refuse', kind: 'llm', prompt: 'x' },
    { name: 'find', kind: 'tool', tool: 'look' },
    {
      name: 'each',
      kind: 'map',
      over: '/steps/list/items',
      do: {
        kind: 'llm',
        prompt: `${scripted(calls('look'), thoughtful('seen'))}\n{{/item}}`,
        tools: ['look'],
      },
    },
    {
      name: 'call',
      kind: 'agent',
      agent,
      prompt: scripted(thoughtful('[]'), thoughtful('{"items": ["c"]}')),
      output_schema: LIST_SCHEMA,
    },
    {
      name: 'draft',
      kind: 'llm',
      prompt: scripted(calls('charge'), thoughtful('drafted')),
      tools: ['charge'],
    },
  ];
  const MEMORY = {
    sort: 'order',
    list: { items: ['a', 'b'] },
    find: { message: 'look done' },
    each: ['seen', 'seen'],
    call: { items: ['c'] },
    draft: 'drafted',
  };

  it.each([
    ['shown', SHOWN],
    ['hidden', HIDDEN],
  ])(
    'does every kind of step of a pipeline, and works with answers, its thoughts %s (S0-25, S3-35)',
    async (shown, config) => {
      const agent = await world.add('BASIC_CHAT', config);
      const id = await world.ask('go', 'CUSTOM', { ...config, steps: STEPS(agent) }, { tools });
      const { view, requests } = await world.attempt(id, tools);
      expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'drafted' } } });
      expect(await world.workingMemory(id)).toEqual(MEMORY);
      expect(requests).toHaveLength(11);
      expectPolicies(requests);
      expect(charges).toHaveLength(1);
      const skipped = world.events(id).flatMap(({ event, data }) => (event === 'step_skipped' ? [data] : []));
      expect(skipped).toEqual([{ step: 'refuse', because: 'branch' }]);
      const said = JSON.stringify(world.events(id).filter(({ event }) => event === 'text_delta'));
      expect(said.includes(THOUGHT)).toBe(shown === 'shown');
    },
  );

  it('shows nothing of hidden thoughts of a pipeline, in no event and no row (S0-27, S3-35)', async () => {
    const agent = await world.add('BASIC_CHAT', HIDDEN);
    const id = await world.ask('go', 'CUSTOM', { ...HIDDEN, steps: STEPS(agent) }, { tools });
    await world.attempt(id, tools);
    const shown = await world.everythingShown(id);
    expect(shown).toContain('drafted');
    expect(shown).not.toContain(THOUGHT);
    expect(shown).not.toContain('<think>');
  });

  it('answers a pipeline that quotes a tag whole (S0-25, S3-7)', async () => {
    const output_format = { json: { said: '{{/input}}', sorted: '{{/steps/sort}}' } };
    const steps = STEPS(0).slice(0, 1);
    const id = await world.ask('a <think> b', 'CUSTOM', { ...HIDDEN, steps, output_format });
    const { view } = await world.attempt(id);
    const whole = JSON.stringify({ said: 'a <think> b', sorted: 'order' });
    expect(view.result?.message.content).toBe(whole);
  });

  it('waits for a person in the middle of a step, and goes on there (S0-13, S3-35)', async () => {
    const agent = await world.add('BASIC_CHAT', HIDDEN);
    const config = { ...HIDDEN, steps: STEPS(agent), require_approval: ['charge'] };
    const id = await world.ask('go', 'CUSTOM', config, { tools });
    const first = await world.attempt(id, tools);
    const scope = first.view.required_action?.calls[0]?.scope ?? '';
    expect(first.view).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: `${scope}:1.0`, asks: 'approval', tool_name: 'charge' }] },
    });
    expect(charges).toEqual([]);
    await world.approve(id, `${scope}:1.0`);
    const { view, requests } = await world.attempt(id, tools);
    expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'drafted' } } });
    expect(charges).toEqual([`${scope}:1.0`]);
    expect(requests).toHaveLength(1);
    expectPolicies(requests);
    expect(outputsOf(requests)).toEqual(['{"status":"success","result":{"message":"charged"}}']);
  });

  it('answers the agent that calls it without its thoughts, a person in between (S0-25, S0-13)', async () => {
    const config = { ...HIDDEN, require_approval: ['charge'] };
    const agent = await world.add('BASIC_CHAT', config, tools);
    const agents = [{ agent, name: 'clerk', description: 'Charges.' }];
    const prompt = scripted(calls('charge'), thoughtful('the clerk has charged'));
    const input = scripted(calls('clerk', { prompt }), thoughtful('all done'));
    const id = await world.ask(input, 'BASIC_CHAT', HIDDEN, { agents });
    expect((await world.attempt(id, tools)).view).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: '1.0:1.0', scope: '1.0', tool_name: 'charge' }] },
    });
    await world.approve(id, '1.0:1.0');
    const { view, requests } = await world.attempt(id, tools);
    expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'all done' } } });
    expect(charges).toEqual(['1.0:1.0']);
    expect(outputsOf(requests)).toEqual(['the clerk has charged']);
    expectPolicies(requests);
    expect(await world.everythingShown(id)).not.toContain(THOUGHT);
  });

  it('answers from documents, by itself and as a step of a pipeline (S3-34)', async () => {
    const documents = { ...HIDDEN, datasource_ids: [3] };
    const question = scripted(thoughtful('At noon.'));
    const id = await world.ask(question, 'RAG_CHAT', documents);
    const { view, requests } = await world.attempt(id);
    expect(view).toMatchObject({
      status: 'completed',
      result: { message: { content: 'At noon.' }, citations: [{ title: 'Handbook' }, { title: 'Handbook' }] },
      usage: { retrieval: { used_chunks: 2 } },
    });
    expectPolicies(requests);
    expect(requests[0]?.messages.at(-1)?.content).toContain('Parcels go out at noon.');

    const agent = await world.add('RAG_CHAT', documents);
    const steps = [{ name: 'look_up', kind: 'agent', agent, prompt: question }];
    const inside = await world.ask('go', 'CUSTOM', { ...HIDDEN, steps });
    const answered = await world.attempt(inside);
    expect(answered.view).toMatchObject({
      status: 'completed',
      result: { message: { content: 'At noon.' } },
    });
    expectPolicies(answered.requests);
    expect(answered.requests[0]?.messages.at(-1)?.content).toContain('Parcels go out at noon.');
    expect(await world.everythingShown(inside)).not.toContain(THOUGHT);
  });
});
