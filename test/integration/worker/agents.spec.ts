import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelAnswer, ModelPort, ModelRequest } from '#libs/agent-core';
import { ApprovalStore, MessageLogStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { WorkerWorld } from './worker-world.js';

const says = (text: string) => aModelAnswer({ text });
const asks = (...calls: [tool: string, input: object][]) =>
  aModelAnswer({ toolCalls: calls.map(([tool, input], index) => aCall(tool, `c${index}`, input)) });

const SCRIPTS: Record<string, readonly ModelAnswer[]> = {
  root: [
    asks(
      ['clerk', { prompt: 'refund order 7' }],
      ['task', { subagent_type: 'scout', prompt: 'look around' }],
      ['task', { subagent_type: 'scribe', prompt: 'write it down' }],
    ),
    says('all done'),
  ],
  'model-clerk': [asks(['charge', {}]), says('refunded')],
  'model-scout': [asks(['look', {}]), says('seen')],
  'model-scribe': [says('written')],
};

/** One model for each agent, by the name that its configuration has. */
class ModelOfEach implements ModelPort {
  readonly requests: ModelRequest[] = [];
  readonly charged = new Map<string, number>();

  constructor(private readonly scripts = SCRIPTS) {}

  async call(request: ModelRequest, onDelta: Parameters<ModelPort['call']>[1]): Promise<ModelAnswer> {
    this.requests.push(request);
    const script = this.scripts[request.model] ?? this.scripts['root'] ?? [];
    const answer = await new ScriptedModel(script).call(request, onDelta);
    const tokens = answer.usage?.total_tokens ?? 0;
    this.charged.set(request.model, (this.charged.get(request.model) ?? 0) + tokens);
    return answer;
  }
}

let world: WorkerWorld;
let keys: string[];
let tools: ToolDefinition[];
const ids: Record<string, number> = {};

beforeAll(async () => {
  world = await WorkerWorld.open();
  for (const name of ['clerk', 'scout', 'scribe']) ids[name] = await addAgent(name);
  await world.dataSource.query(`UPDATE agent SET tools = $1 WHERE id = $2`, [
    JSON.stringify({ builtin: ['charge'] }),
    ids['clerk'],
  ]);
  await world.dataSource.query(`UPDATE agent SET config = '{"require_approval": ["charge"]}' WHERE id = $1`, [
    ids['clerk'],
  ]);
  await world.dataSource.query(`UPDATE agent SET tools = '{"builtin": ["look"]}' WHERE id = $1`, [
    ids['scout'],
  ]);
});
afterAll(() => world.close());

beforeEach(async () => {
  keys = [];
  const run: ToolDefinition['run'] = (_input, { idempotencyKey, scope }) => {
    keys.push(`${scope} ${idempotencyKey.slice(idempotencyKey.indexOf('.') + 1)}`);
    return Promise.resolve({ result: { status: 'success', result: { message: 'ok' } } });
  };
  tools = [aTool('charge', { effect: 'unsafe', run }), aTool('look', { run })];
  const agents = [
    { agent: ids['clerk'], name: 'clerk', description: 'Refunds.' },
    {
      name: 'task',
      description: 'Runs another agent.',
      agents: [
        { agent: ids['scout'], name: 'scout', description: 'Looks.' },
        { agent: ids['scribe'], name: 'scribe', description: 'Writes.' },
      ],
    },
  ];
  await world.dataSource.query(`UPDATE agent SET tools = $1, config = '{}' WHERE id = 1`, [
    JSON.stringify({ agents }),
  ]);
});

async function addAgent(name: string): Promise<number> {
  const [llm] = await world.dataSource.query<{ id: number }[]>(
    `INSERT INTO llm (tenant_id, name, provider, model, extra)
     SELECT tenant_id, $1, provider, $2, '{"temperature": 0.1}' FROM llm WHERE id = 1 RETURNING id`,
    [name, `model-${name}`],
  );
  const [agent] = await world.dataSource.query<{ id: number }[]>(
    `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt)
     SELECT tenant_id, $1, usecase_type, $2, $3 FROM agent WHERE id = 1 RETURNING id`,
    [name, llm?.id, `You are the ${name}.`],
  );
  return agent?.id ?? 0;
}

const decide = (id: string, call: string) =>
  new ApprovalStore(world.dataSource).decide('default', id, [{ call, approved: true, reason: '' }]);

describe('three agents at once, one of which waits for a person', () => {
  it('are parked together, name the scope, and end as one execution (S4-31, S4-33)', async () => {
    const model = new ModelOfEach();
    const { id, sessionId } = await world.submit();
    const parked = await world.run(id, model, tools);
    expect(parked).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: '1.0:1.0', scope: '1.0', asks: 'approval', tool_name: 'charge' }] },
    });
    expect(await decide(id, '1.0:1.0')).toMatchObject({ kind: 'decided', isRunnable: true });
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

  it('leave in the log of messages what they answered, and nothing of what they said inside (S4-18)', async () => {
    const { id, sessionId } = await world.submit();
    await world.run(id, new ModelOfEach(), tools);
    await decide(id, '1.0:1.0');
    await world.run(id, new ModelOfEach(), tools);

    const log = await new MessageLogStore(world.dataSource).list('default', sessionId, { limit: 100 });

    expect(log.rows.map(({ message_type }) => message_type)).toEqual([
      'user',
      'system',
      'assistant',
      'user_result',
      'user_result',
      'user_result',
      'assistant',
      'result',
    ]);
    const results = log.rows.flatMap(({ message_type, content }) =>
      message_type === 'user_result' ? content['content_blocks'] : [],
    );
    const ids = results.map((block) => (block as { tool_use_id: string }).tool_use_id);
    expect(ids.toSorted()).toEqual(['c0', 'c1', 'c2']);
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

  it('goes on with the agent as it was, whatever became of it meanwhile', async () => {
    const model = new ModelOfEach();
    const { id } = await world.submit();
    await world.run(id, model, tools);
    await world.dataSource.query(
      `UPDATE agent SET system_prompt = 'Be rude.', is_active = false WHERE id = $1`,
      [ids['clerk']],
    );
    await decide(id, '1.0:1.0');
    expect(await world.run(id, model, tools)).toMatchObject({ status: 'completed' });
    const clerk = model.requests.filter((request) => request.model === 'model-clerk').at(-1);
    expect(clerk?.messages[0]).toMatchObject({ content: 'You are the clerk.' });
    await world.dataSource.query(
      `UPDATE agent SET system_prompt = 'You are the clerk.', is_active = true WHERE id = $1`,
      [ids['clerk']],
    );
  });

  it('reads why, and goes on, where an agent that it calls is not there any more', async () => {
    await world.dataSource.query(`UPDATE agent SET is_active = false WHERE id = $1`, [ids['clerk']]);
    const { id } = await world.submit();
    expect(await world.run(id, new ModelOfEach(), tools)).toMatchObject({ status: 'completed' });
    expect((await world.stepsOf(id))[0]).toMatchObject({ tool_name: 'clerk', status: 'failed' });
    await world.dataSource.query(`UPDATE agent SET is_active = true WHERE id = $1`, [ids['clerk']]);
  });
});
