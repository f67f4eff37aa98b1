import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ToolDefinition } from '#libs/tooling';
import { AgentsWorld, ModelOfEach } from '../agents-world.js';
import type { WorkerWorld } from '../worker-world.js';

let agents: AgentsWorld;
let world: WorkerWorld;
let ids: Record<string, number>;
let keys: string[];
let tools: ToolDefinition[];

beforeAll(async () => {
  agents = await AgentsWorld.open();
  ({ world, ids } = agents);
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ keys, tools } = await agents.offer());
});

describe('three agents at once, one of which waits for a person', () => {
  it('are parked together, name the scope, and end as one execution (S4-31, S4-33)', async () => {
    const model = new ModelOfEach();
    const { id, sessionId } = await world.submit();
    const parked = await world.run(id, model, tools);
    expect(parked).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: '1.0:1.0', scope: '1.0', asks: 'approval', tool_name: 'charge' }] },
    });
    expect(await agents.approve(id, '1.0:1.0')).toMatchObject({ kind: 'decided', isRunnable: true });
    expect(await world.run(id, model, tools)).toMatchObject({
      status: 'completed',
      result: { message: { content: 'all done' } },
      usage: { total_tokens: 105 },
    });
    expect(keys.toSorted()).toEqual(['1.0 1.0:1.0', '1.1 1.1:1.0']);

    const steps = (await world.stepsOf(id)).map(({ scope, round, position, tool_name, status }) =>
      [scope, `${round}.${position}`, tool_name, status].join(' '),
    );
    expect(steps).toEqual([
      ' 1.0 clerk succeeded',
      ' 1.1 task succeeded',
      ' 1.2 task succeeded',
      '1.0 1.0 charge succeeded',
      '1.1 1.0 look succeeded',
    ]);
    const usage: { scope: string; agent_id: number; tokens: number }[] = await world.dataSource.query(
      `SELECT scope, agent_id, sum(total_tokens)::int AS tokens FROM usage_log WHERE execution_id = $1
        GROUP BY scope, agent_id ORDER BY scope`,
      [id],
    );
    expect(usage).toEqual([
      { scope: '', agent_id: 1, tokens: 30 },
      { scope: '1.0', agent_id: ids['clerk'], tokens: 30 },
      { scope: '1.1', agent_id: ids['scout'], tokens: 30 },
      { scope: '1.2', agent_id: ids['scribe'], tokens: 15 },
    ]);
    expect([...model.charged.values()].reduce((sum, tokens) => sum + tokens, 0)).toBe(105);
    expect((await world.messagesOf(sessionId)).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
    ]);
  });

  it('has each asked by its own model, prompt and parameters, and nothing of the conversation (S4-28, S4-29)', async () => {
    const model = new ModelOfEach();
    const { id } = await world.submit();
    await world.run(id, model, tools);
    const scout = model.requests.filter((request) => request.model === 'model-scout');
    expect(scout[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'You are the scout.' },
        { role: 'user', content: 'look around' },
      ],
      tools: [{ name: 'look' }],
      parameters: { temperature: 0.1 },
    });
    const root = model.requests.find((request) => !request.model.startsWith('model-'));
    expect(root?.tools.map(({ name }) => name)).toEqual(['clerk', 'task']);
    const names = await world.events.readAfter(id, 0, 1_000);
    const ofScout = names.filter(({ data }) => 'scope' in data && data.scope === '1.1');
    expect(ofScout.map(({ event }) => event)).toEqual([
      'subagent',
      'tool_use',
      'tool_result',
      'text_delta',
      'subagent',
    ]);
    expect(ofScout[0]).toMatchObject({
      data: { action: 'start', agent_type: 'scout', parent_tool_use_id: 'c1', description: 'look around' },
    });
  });

  it('continues with the agent as it was, also after later changes', async () => {
    const model = new ModelOfEach();
    const { id } = await world.submit();
    await world.run(id, model, tools);
    await world.dataSource.query(
      `UPDATE agent SET system_prompt = 'Be rude.', is_active = false WHERE id = $1`,
      [ids['clerk']],
    );
    await agents.approve(id, '1.0:1.0');
    expect(await world.run(id, model, tools)).toMatchObject({ status: 'completed' });
    const clerk = model.requests.filter((request) => request.model === 'model-clerk').at(-1);
    expect(clerk?.messages[0]).toMatchObject({ content: 'You are the clerk.' });
    await world.dataSource.query(
      `UPDATE agent SET system_prompt = 'You are the clerk.', is_active = true WHERE id = $1`,
      [ids['clerk']],
    );
  });

  it('asks for an agent itself where a request wants every call of it approved', async () => {
    const { id } = await world.submit({
      request: { input: 'hello', additional_data: {}, options: { require_approval: ['clerk'] } },
    });
    expect(await world.run(id, new ModelOfEach(), tools)).toMatchObject({
      status: 'requires_action',
      required_action: {
        calls: [
          { call: '1.0', asks: 'approval', tool_name: 'clerk', tool_input: { prompt: 'refund order 7' } },
        ],
      },
    });
    expect(keys).toEqual(['1.1 1.1:1.0']);
    await agents.approve(id, '1.0');
    expect(await world.run(id, new ModelOfEach(), tools)).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: '1.0:1.0', scope: '1.0' }] },
    });
  });
});
