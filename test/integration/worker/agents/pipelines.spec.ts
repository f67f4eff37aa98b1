import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelAnswer, ModelPort, ModelRequest } from '#libs/agent-core';
import { ApprovalStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { aTool } from '../../../support/builders/tool.js';
import { asks, says } from '../agents-world.js';
import { WorkerWorld } from '../worker-world.js';

const N_SCHEMA = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
};
const STEPS = [
  { name: 'extract', kind: 'llm', prompt: 'Extract of {{/input}}', tools: [], output_schema: N_SCHEMA },
  { name: 'find', kind: 'tool', tool: 'look', arguments: { n: '{{/steps/extract/n}}' } },
  { name: 'skipped', kind: 'llm', prompt: 'x', when: { value: '/steps/extract/n', equals: 3 } },
  { name: 'draft', kind: 'llm', prompt: 'Draft with {{/steps/find/message}}', tools: ['charge'] },
];

/** Answers round by round by the script for the first word of the first user message. */
class ModelOfSteps implements ModelPort {
  readonly requests: ModelRequest[] = [];

  constructor(private readonly scripts: Readonly<Record<string, readonly ModelAnswer[]>>) {}

  call(request: ModelRequest): Promise<ModelAnswer> {
    this.requests.push(structuredClone(request));
    const asked = request.messages.find(({ role }) => role === 'user')?.content ?? '';
    const [name = ''] = asked.split(' ');
    const round = request.messages.filter(({ role }) => role === 'assistant').length;
    const answer = this.scripts[name]?.[round];
    return answer ? Promise.resolve(answer) : Promise.reject(new Error(`unexpected: ${asked}, ${round}`));
  }
}

const model = (): ModelOfSteps =>
  new ModelOfSteps({
    Extract: [says('two'), says('{"n": 2}')],
    Draft: [asks(['charge', {}]), says('drafted')],
  });

let world: WorkerWorld;
let runs: string[];
let tools: ToolDefinition[];

beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());
beforeEach(async () => {
  runs = [];
  const run: ToolDefinition['run'] = (_input, { idempotencyKey }) => {
    runs.push(idempotencyKey.slice(idempotencyKey.indexOf('.') + 1));
    return Promise.resolve({ result: { status: 'success', result: { message: 'found' } } });
  };
  const anyInput = {
    inputSchema: { type: 'object' },
    readInput: (data: object) => ({ success: true, data }),
  };
  tools = [
    { ...aTool('look', { run }), ...anyInput } as ToolDefinition,
    aTool('charge', { effect: 'unsafe', run }),
  ];
  await offer({ steps: STEPS });
});
afterEach(() => world.dataSource.query(`UPDATE agent SET usecase_type = 'BASIC_CHAT' WHERE id = 1`));

async function offer(config: object): Promise<void> {
  await world.offer(tools, config);
  await world.dataSource.query(`UPDATE agent SET usecase_type = 'CUSTOM' WHERE id = 1`);
}

const factsOf = (id: string): Promise<{ kind: string; data: object }[]> =>
  world.dataSource.query(`SELECT kind, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`, [
    id,
  ]);

describe('an agent of several steps', () => {
  it('does them in their order, each by its own prompt, tools and format (S3-35)', async () => {
    const asked = model();
    const { id, sessionId } = await world.submit();
    expect(await world.run(id, asked, tools)).toMatchObject({
      status: 'completed',
      result: { message: { content: 'drafted' } },
      usage: { total_tokens: 60 },
    });
    expect(runs).toEqual(['2.0', '3.0:1.0']);
    const shown = asked.requests.map(({ messages, tools: given, parameters }) => ({
      texts: messages.map(({ role, content }) => `${role}: ${content.split('\n')[0]}`),
      tools: given.map(({ name }) => name),
      format: parameters['response_format'],
    }));
    expect(shown).toEqual([
      { texts: ['system: Be brief.', 'user: Extract of hello'], tools: [], format: 'json_schema' },
      {
        texts: [
          'system: Be brief.',
          'user: Extract of hello',
          'assistant: two',
          'user: Your answer does not fit the schema that it has to fit:',
        ],
        tools: [],
        format: 'json_schema',
      },
      { texts: ['system: Be brief.', 'user: Draft with found'], tools: ['charge'], format: undefined },
      {
        texts: [
          'system: Be brief.',
          'user: Draft with found',
          'assistant: ',
          expect.stringMatching(/^tool: .*found/),
        ],
        tools: ['charge'],
        format: undefined,
      },
    ]);
    expect(asked.requests[0]?.parameters).toMatchObject({
      json_schema: { name: 'extract', strict: true, schema: N_SCHEMA },
    });
    expect(asked.requests.every(({ parameters }) => !('steps' in parameters))).toBe(true);
    expect((await world.messagesOf(sessionId)).map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'hello'],
      ['assistant', 'drafted'],
    ]);
  });

  it('audits every step under its name, and charges it apart (S2-6, S4-33)', async () => {
    const { id } = await world.submit();
    await world.run(id, model(), tools);
    const steps = (await world.stepsOf(id)).map(({ scope, round, position, tool_name, status, input }) =>
      [scope, `${round}.${position}`, tool_name, status, JSON.stringify(input)].join(' '),
    );
    expect(steps).toEqual([
      ' 1.0 extract succeeded {"prompt":"Extract of hello"}',
      ' 2.0 look succeeded {"n":2}',
      ' 2.1 skipped skipped {}',
      ' 3.0 draft succeeded {"prompt":"Draft with found"}',
      '3.0 1.0 charge succeeded {}',
    ]);
    const usage: object[] = await world.dataSource.query(
      `SELECT scope, agent_id, sum(total_tokens)::int AS tokens FROM usage_log WHERE execution_id = $1
        GROUP BY scope, agent_id ORDER BY scope`,
      [id],
    );
    expect(usage).toEqual([
      { scope: '1.0', agent_id: 1, tokens: 30 },
      { scope: '3.0', agent_id: 1, tokens: 30 },
    ]);
  });

  it('reports each step to its followers', async () => {
    const { id } = await world.submit();
    await world.run(id, model(), tools);
    const events = await world.events.readAfter(id, 0, 1_000);
    const of = events.flatMap(({ event, data }) =>
      event === 'subagent' || event === 'tool_use' || event === 'tool_result'
        ? [
            [
              event,
              'agent_type' in data ? data.agent_type : 'tool_use_id' in data ? data.tool_use_id : '',
            ].join(' '),
          ]
        : [],
    );
    expect(of.filter((line) => !line.endsWith(' c0'))).toEqual([
      'tool_use extract',
      'subagent extract',
      'subagent extract',
      'tool_result extract',
      'tool_use find',
      'tool_result find',
      'tool_use draft',
      'subagent draft',
      'subagent draft',
      'tool_result draft',
    ]);
  });

  it('shows followers and the audit which step it skips, and why (S2-6, S3-35)', async () => {
    const { id } = await world.submit();
    await world.run(id, model(), tools);
    const events = await world.events.readAfter(id, 0, 1_000);
    expect(events.filter(({ event }) => event === 'step_skipped').map(({ data }) => data)).toEqual([
      { step: 'skipped', because: 'condition' },
    ]);
    const [row, ...more] = (await world.stepsOf(id)).filter(({ status }) => status === 'skipped');
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      ...{ scope: '', round: 2, position: 1, call_id: 'skipped', tool_name: 'skipped', attempt: 1 },
      ...{ input: {}, output: { because: 'condition' }, error: null, late_evidence: [] },
    });
    expect(Date.parse(row?.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(row?.started_at ?? ''));
    const facts = await factsOf(id);
    expect(facts.find(({ data }) => JSON.stringify(data).includes('"skipped"'))).toEqual({
      kind: 'step_settled',
      data: { step: 'skipped', outcome: { status: 'skipped', because: 'condition' } },
    });
  });

  it('waits for a person in the middle, and goes on as it was when it began', async () => {
    await offer({ steps: STEPS, require_approval: ['charge'] });
    const { id } = await world.submit();
    expect(await world.run(id, model(), tools)).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: '3.0:1.0', scope: '3.0', tool_name: 'charge' }] },
    });
    await offer({ steps: ['other'] });
    await world.dataSource.query(`UPDATE agent SET is_active = false WHERE id = 1`);
    const decision = { call: '3.0:1.0', approved: true, reason: '' };
    await new ApprovalStore(world.dataSource).decide('default', id, [decision], null);
    const asked = model();
    expect(await world.run(id, asked, tools)).toMatchObject({ status: 'completed' });
    expect(asked.requests).toHaveLength(1);
    expect(runs).toEqual(['2.0', '3.0:1.0']);
    await world.dataSource.query(`UPDATE agent SET is_active = true WHERE id = 1`);
    const facts = await factsOf(id);
    expect(facts.filter(({ kind }) => kind === 'step_begun')).toHaveLength(3);
    const [settled] = facts.filter(({ kind }) => kind === 'step_settled');
    expect(settled).toEqual({
      kind: 'step_settled',
      data: { step: 'extract', outcome: { status: 'succeeded', output: { n: 2 } } },
    });
  });

  it('keeps what steps came to as working memory, and bakes nothing of it (S2-25)', async () => {
    const { id, sessionId } = await world.submit();
    await world.run(id, model(), tools);
    expect(await world.executions.findWorkingMemory('default', id)).toEqual({
      extract: { n: 2 },
      find: { message: 'found' },
      draft: 'drafted',
    });
    expect((await world.messagesOf(sessionId)).map(({ data }) => data)).toEqual([{}, {}, {}]);
    expect(await world.executions.findWorkingMemory('acme', id)).toBeNull();
  });

  it('answers in the format that it says, and fails where a rule is broken (S3-7)', async () => {
    const output_format = { json: { n: '{{/steps/extract/n}}', text: '{{/steps/draft}}' } };
    await offer({ steps: STEPS, output_format });
    const { id } = await world.submit();
    expect(await world.run(id, model(), tools)).toMatchObject({
      result: { message: { content: '{"n":2,"text":"drafted"}' } },
    });
    const validation_rules = [{ require: { value: '/answer/n', at_least: 3 }, message: 'too few' }];
    await offer({ steps: STEPS, output_format, validation_rules });
    const { id: other, sessionId } = await world.submit();
    expect(await world.run(other, model(), tools)).toMatchObject({
      status: 'failed',
      error: { code: 'OUTPUT_INVALID', message: 'the answer does not keep to a rule: too few' },
    });
    expect(await world.messagesOf(sessionId)).toEqual([]);
    expect(await world.executions.findWorkingMemory('default', other)).toMatchObject({ draft: 'drafted' });
  });

  it('fails with the name of the step whose tool has vanished', async () => {
    const { id } = await world.submit();
    const [look] = tools;
    const view = await world.run(id, model(), look ? [look] : []);
    expect(view).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_ERROR' } });
  });

  it('has the options of the request for its models, and none for what it does', async () => {
    const asked = model();
    const options = { temperature: 0.7, steps: ['other'] };
    const { id } = await world.submit({ request: { input: 'hello', additional_data: {}, options } });
    expect(await world.run(id, asked, tools)).toMatchObject({ status: 'completed' });
    expect(asked.requests.map(({ parameters }) => parameters['temperature'])).toEqual([0.7, 0.7, 0.7, 0.7]);
  });

  it('does steps that are names only, with all tools of the agent', async () => {
    await offer({ steps: ['analyze', 'draft'] });
    const asked = new ModelOfSteps({ Do: [says('well')] });
    const { id } = await world.submit();
    expect(await world.run(id, asked, tools)).toMatchObject({
      status: 'completed',
      result: { message: { content: 'well' } },
    });
    expect(asked.requests.map(({ tools: given }) => given.length)).toEqual([2, 2]);
    expect(asked.requests[1]?.messages.at(-1)?.content).toMatch(/"draft".*hello.*"analyze" came to:\nwell$/s);
  });
});
