import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MessageLogStore } from '#libs/persistence';
import { AppError } from '#libs/kernel';
import { AgentTools, BuiltinTools, CombinedToolSource } from '#libs/tool-sources';
import type { ToolDefinition, ToolLoad, ToolSource } from '#libs/tooling';
import { AgentsWorld, asks, ModelOfEach, says, SCRIPTS } from '../agents-world.js';
import type { WorkerWorld } from '../worker-world.js';

let agents: AgentsWorld;
let world: WorkerWorld;
let ids: Record<string, number>;
let tools: ToolDefinition[];

beforeAll(async () => {
  agents = await AgentsWorld.open();
  ({ world, ids } = agents);
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ tools } = await agents.offer());
});

describe('the message log of an execution with agents (S4-13, S4-18, S4-21)', () => {
  it('has what each agent said and called where it happened, and whose call it works for', async () => {
    const { id, sessionId } = await world.submit();
    const model = new ModelOfEach();
    await world.run(id, model, tools);
    await agents.approve(id, '1.0:1.0');
    await world.run(id, model, tools);

    const { rows } = await new MessageLogStore(world.dataSource).list('default', sessionId, { limit: 100 });

    const own = rows.filter(({ content }) => content['scope'] === undefined);
    expect(own.map(({ message_type }) => message_type)).toEqual([
      'user',
      'system',
      'assistant',
      'user_result',
      'user_result',
      'user_result',
      'assistant',
      'result',
    ]);
    expect(own.every(({ content }) => content['parent_tool_use_id'] === undefined)).toBe(true);
    const inside = ['1.0', '1.1', '1.2'].map((scope) =>
      rows
        .filter(({ content }) => content['scope'] === scope)
        .map(({ message_type, content }) => [message_type, content['parent_tool_use_id']]),
    );
    expect(inside).toEqual([
      [
        ['assistant', 'c0'],
        ['user_result', 'c0'],
        ['assistant', 'c0'],
      ],
      [
        ['assistant', 'c1'],
        ['user_result', 'c1'],
        ['assistant', 'c1'],
      ],
      [['assistant', 'c2']],
    ]);
    const ofScout = rows.filter(({ content }) => content['scope'] === '1.1');
    expect(ofScout.map(({ content }) => content['content_blocks'])).toMatchObject([
      [{ type: 'tool_use', tool_name: 'look' }],
      [{ type: 'tool_result', is_error: false }],
      [{ type: 'text', text: 'seen' }],
    ]);
    expect(rows.map(({ message_seq }) => message_seq)).toEqual(rows.map((_row, index) => index + 1));
  });
});

describe('limits of a caller for its agent', () => {
  it('holds beside its own limits: the tighter one counts, for iterations and budget', async () => {
    const script = {
      ...SCRIPTS,
      root: [asks(['scout', { prompt: 'look' }]), says('done')],
      'model-scout': [asks(['look', {}]), asks(['look', { again: true }]), says('seen')],
    };
    const outcomeWith = async (limits: object) => {
      await agents.letCall({ agent: ids['scout'], name: 'scout', description: 'Looks.', limits });
      const { id } = await world.submit();
      expect(await world.run(id, new ModelOfEach(script), tools)).toMatchObject({ status: 'completed' });
      return (await world.stepsOf(id)).find(({ tool_name }) => tool_name === 'scout')?.output;
    };
    expect(await outcomeWith({})).toMatchObject({ result: { message: 'seen' } });
    expect(await outcomeWith({ maximum_iterations: 2 })).toMatchObject({
      result: { message: expect.stringContaining('[The agent stopped before it was done: max_iterations]') },
    });
    expect(await outcomeWith({ budget: { total_tokens: 20 } })).toMatchObject({
      result: { message: expect.stringContaining('[The agent stopped before it was done: budget]') },
    });
  });
});

describe('an agent that is called (S4-6, S4-7)', () => {
  it('reads the layers of its tenant, and reads skills itself', async () => {
    await world.dataSource.query(`UPDATE tenant SET system_prompt = 'We sell fruit.' WHERE id = 'default'`);
    await world.dataSource.query(
      `INSERT INTO skill (tenant_id, name, description, content)
       VALUES ('default', 'peeling', 'How to peel', 'From the top.')`,
    );
    const model = new ModelOfEach({
      ...SCRIPTS,
      root: [asks(['task', { subagent_type: 'scribe', prompt: 'peel' }]), says('done')],
      'model-scribe': [asks(['read_skill', { name: 'peeling' }]), says('peeled')],
    });
    const { id } = await world.submit();
    expect(await world.run(id, model, tools)).toMatchObject({ status: 'completed' });
    const [first, second] = model.requests.filter((request) => request.model === 'model-scribe');
    const prompt = JSON.stringify(first?.messages[0]);
    for (const layer of ['We sell fruit.', 'You are the scribe.', 'peeling']) expect(prompt).toContain(layer);
    expect(prompt).not.toContain('Be brief.');
    expect(JSON.stringify(second?.messages)).toContain('From the top.');
    await world.dataSource.query(`DELETE FROM skill`);
    await world.dataSource.query(`UPDATE tenant SET system_prompt = NULL WHERE id = 'default'`);
  });
});

describe('an agent that has vanished since its caller was written', () => {
  const switchTo = (name: string, isActive: boolean) =>
    world.dataSource.query(`UPDATE agent SET is_active = $2 WHERE id = $1`, [ids[name], isActive]);

  it.each([
    ['is inactive', `UPDATE agent SET is_active = $2 WHERE id = $1`],
    [
      'has an inactive model',
      `UPDATE llm SET is_active = $2 FROM agent WHERE agent.id = $1 AND llm.id = agent.llm_id`,
    ],
  ])('keeps its caller from running at all where it %s, and nothing is asked or paid', async (_how, sql) => {
    await world.dataSource.query(sql, [ids['scribe'], false]);
    const model = new ModelOfEach();
    const { id } = await world.submit();
    expect(await world.run(id, model, tools)).toMatchObject({
      status: 'failed',
      error: {
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining(`task calls agent ${ids['scribe']}`),
      },
    });
    expect(model.requests).toEqual([]);
    await world.dataSource.query(sql, [ids['scribe'], true]);
  });

  it('is the visible failure of its call where the caller has begun, and followers read its beginning and end', async () => {
    const late = {
      ...SCRIPTS,
      root: [
        SCRIPTS['root']?.[0],
        asks(['task', { subagent_type: 'scribe', prompt: 'again' }]),
        says('done'),
      ],
    };
    const model = new ModelOfEach(late as typeof SCRIPTS);
    const { id } = await world.submit();
    await world.run(id, model, tools);
    await switchTo('scribe', false);
    await agents.approve(id, '1.0:1.0');
    expect(await world.run(id, model, tools)).toMatchObject({ status: 'completed' });
    await switchTo('scribe', true);
    expect((await world.stepsOf(id)).find(({ round, scope }) => scope === '' && round === 2)).toMatchObject({
      tool_name: 'task',
      status: 'failed',
      error: expect.stringContaining('VALIDATION_ERROR'),
    });
    const emitted = (await world.events.readAfter(id, 0, 1_000)).flatMap(({ event, data }) =>
      event === 'subagent' && data.scope === '2.0' ? [[data.action, data.agent_type, data.status]] : [],
    );
    expect(emitted).toEqual([
      ['start', 'scribe', undefined],
      ['stop', 'scribe', 'failed'],
    ]);
  });
});

describe('the tokens of a request that an agent inside needs', () => {
  /** The usual tool source for agent 1; loading the tools of a called agent fails with this code. */
  const wanting = (code: string): ToolSource => {
    const all = new CombinedToolSource([new BuiltinTools(tools), new AgentTools()]);
    const failure = new AppError({ code, kind: 'invalid_input', message: 'the tokens are gone' });
    return {
      load: (context: ToolLoad) => (context.scope === '' ? all.load(context) : Promise.reject(failure)),
    };
  };

  it('end the execution as that once their time is over, as they do outside', async () => {
    const { id } = await world.submit();
    const view = await world.run(id, new ModelOfEach(), [], { tools: wanting('TOKENS_EXPIRED') });
    expect(view).toMatchObject({
      status: 'failed',
      error: { code: 'TOKENS_EXPIRED', message: 'the tokens are gone' },
    });
  });

  it('are not what any other fault of an agent is: its caller goes on', async () => {
    const { id } = await world.submit();
    const view = await world.run(id, new ModelOfEach(), [], { tools: wanting('VALIDATION_ERROR') });
    expect(view).toMatchObject({ status: 'completed' });
  });
});
