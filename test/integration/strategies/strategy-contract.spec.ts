import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NumberedEvent } from '#libs/payloads';
import { aTool } from '../../support/builders/tool.js';
import { done, DONE, GOLDEN_TOOLS } from './golden-tools.js';
import { StrategyWorld, type ScriptedRun } from './strategy-world.js';

let world: StrategyWorld;
beforeAll(async () => {
  world = await StrategyWorld.open();
});
afterAll(() => world.close());

const CALL_LOOK = { name: 'look', arguments: { where: 'küche' }, call_id: 'call_1' };
const TWO_ROUNDS: ScriptedRun = {
  answers: [
    {
      text: '<think>plan</think>I look.',
      calls: [CALL_LOOK],
      usage: { input_tokens: 100, cached_tokens: 20, output_tokens: 10, reasoning_tokens: 4 },
    },
    { text: 'Done.', usage: { input_tokens: 200, output_tokens: 30 } },
  ],
};

type LogEvent = Extract<NumberedEvent, { event: 'log' }>['data'];

function logs(events: readonly NumberedEvent[]): LogEvent[] {
  return events.flatMap((event) => (event.event === 'log' ? [event.data] : []));
}

/** The two halves of the log with this label. */
function log(events: readonly NumberedEvent[], label: string) {
  const [start, finish, ...more] = logs(events).filter((data) => data.label === label);
  expect(more).toEqual([]);
  if (!start || !finish) throw new Error(`no log "${label}"`);
  return { start, finish };
}

describe('requests to the model (S0-9, S0-10, S0-11, S0-13, S1-56, S1-63, S1-76)', () => {
  it('is system, history, user, and then each round with an output for each call, once a round', async () => {
    const earlier = await world.play({ answers: [{ text: 'Before.' }] }, GOLDEN_TOOLS);
    const { requests } = await world.play(TWO_ROUNDS, GOLDEN_TOOLS, earlier.sessionId);
    expect(requests.map(({ messages }) => messages.map((message) => message.role))).toEqual([
      ['system', 'user', 'assistant', 'user'],
      ['system', 'user', 'assistant', 'user', 'assistant', 'tool'],
    ]);
    expect(requests[1]?.messages.slice(0, 4)).toEqual(requests[0]?.messages);
    const [asked, output] = requests[1]?.messages.slice(4) ?? [];
    expect(asked).toMatchObject({
      content: '<think>plan</think>I look.',
      toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"where":"küche"}' }],
    });
    expect(output).toEqual({ role: 'tool', toolCallId: 'call_1', content: done('look') });
    expect(requests[0]?.tools.map((tool) => tool.name)).toEqual(GOLDEN_TOOLS.map((tool) => tool.name));
  });

  it('has the parameters of the agent, and the text of the agent inside the policies (S0-17, S0-43, S1-60)', async () => {
    const config = { temperature: 0.5, verbosity: 'low', reasoning_effort: 'high' };
    const { requests } = await world.play({ ...TWO_ROUNDS, config }, GOLDEN_TOOLS);
    expect(requests[0]?.parameters).toMatchObject(config);
    const system = String(requests[0]?.messages[0]?.content);
    const places = [
      'Be brief.',
      '<persistence>',
      '<context_gathering>',
      '<uncertainty_and_ambiguity>',
      '<tool_preamble>',
    ].map((part) => system.indexOf(part));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBe(0);
  });

  it.each([
    ['plain text after the policies (S0-19, S1-61)', 'Be polite.', /<\/tool_preamble>\n\nBe polite\.$/],
    [
      'an object in place of the policies that it names (S0-20 … S0-22, S1-62)',
      JSON.stringify({ persistence_policy: 'Never give up.', extra_policy: 'Sign.', unknown: 'lost' }),
      /^Be brief\.\n\n<persistence>\nNever give up\.\n<\/persistence>\n\n<context_gathering>(?![^]*lost)[^]*\n\nSign\.$/,
    ],
  ])('has the overrides of a request: %s', async (_name, promptPolicyOverrides, expected) => {
    const { requests } = await world.play({ ...TWO_ROUNDS, promptPolicyOverrides }, GOLDEN_TOOLS);
    expect(requests[0]?.messages[0]?.content).toMatch(expected);
  });

  it('has nothing of the sources, which come back whole (S0-44, S1-55, 3.E-9)', async () => {
    const context = [{ content: 'a secret source', title: 'a title', metadata: { score: 0.5, page: 3 } }];
    const { requests, events } = await world.play({ ...TWO_ROUNDS, context }, GOLDEN_TOOLS);
    expect(JSON.stringify(requests)).not.toContain('a secret source');
    const reported = events.find((event) => event.event === 'retriever_resources');
    expect(reported?.data).toMatchObject({
      context: '',
      retriever_resources: [{ content: 'a secret source', score: 0.5, page: 3, dataset_id: null }],
    });
  });
});

describe('reports during a run (S0-7, S0-8)', () => {
  it('can be read before the run is over', async () => {
    let seen: string[] = [];
    const look = aTool('look', {
      run: async () => {
        const id = await runningId();
        const watch = world.worker.events.watch(id);
        while (!world.worker.events.events(id).some((event) => event.event === 'tool_use'))
          await watch.wait(0, 5_000, AbortSignal.timeout(5_000));
        watch.close();
        seen = world.worker.events.events(id).map((event) => event.event);
        return { result: { status: 'success', result: {} } };
      },
    });
    const { view } = await world.play(TWO_ROUNDS, [look]);
    expect(view.status).toBe('completed');
    expect(seen).toEqual(expect.arrayContaining(['log', 'text_delta', 'tool_use']));
    expect(seen).not.toContain('result');
  });

  async function runningId(): Promise<string> {
    const [row] = await world.rows<{ id: string }>(`SELECT id FROM execution WHERE status = 'running'`);
    if (!row) throw new Error('nothing runs');
    return row.id;
  }

  it('is logged with ids, parents, times and prices (S0-8, 3.E-2 … 3.E-5)', async () => {
    const { events } = await world.play(TWO_ROUNDS, GOLDEN_TOOLS);
    const round = log(events, 'ROUND 1');
    const call = log(events, 'CALL look');
    const thoughts = logs(events).filter((data) => data.label === 'sim-script Thought');
    const [thoughtStart, thoughtFinish] = thoughts;
    expect(new Set(logs(events).map((data) => data.id)).size).toBe(5);
    expect(logs(events).every((data) => data.error === null)).toBe(true);
    for (const { start, finish } of [round, call]) expect(finish.id).toBe(start.id);
    expect(round.start.parent_id).toBeNull();
    for (const part of [thoughtStart, thoughtFinish, call.start, call.finish])
      expect(part?.parent_id).toBe(round.start.id);

    const keysOf = (data: LogEvent | undefined) => Object.keys(data?.metadata ?? {}).toSorted();
    const ended = ['elapsed_time', 'finished_at', 'started_at'];
    const priced = ['currency', 'total_price', 'total_tokens'];
    expect(keysOf(round.start)).toEqual(['started_at']);
    expect(keysOf(round.finish)).toEqual([...ended, ...priced].toSorted());
    expect(keysOf(thoughtStart)).toEqual(['provider', 'started_at']);
    expect(keysOf(thoughtFinish)).toEqual([...ended, ...priced, 'provider'].toSorted());
    expect(keysOf(call.start)).toEqual(['provider', 'started_at']);
    expect(keysOf(call.finish)).toEqual([...ended, 'provider'].toSorted());
    // 80 · 2 + 20 · 1 + 10 · 10 millionths of a dollar: the price of this round only.
    const price = { total_price: '0.00028', currency: 'USD', total_tokens: 110 };
    expect(round.finish.metadata).toMatchObject(price);
    expect(thoughtFinish?.metadata).toMatchObject(price);
  });

  it('is logged with answers, arguments and outputs (3.D-4, 3.E-6)', async () => {
    const { events } = await world.play(TWO_ROUNDS, GOLDEN_TOOLS);
    const response = { tool_call_id: 'call_1', tool_call_name: 'look', tool_response: DONE };
    const output = { ...response, tool_call_input: {} };
    expect(log(events, 'CALL look').finish.data).toEqual({ output });
    expect(log(events, 'ROUND 1').finish.data).toEqual({
      output: { llm_response: '<think>plan</think>I look.', tool_responses: [output] },
    });
    const thought = logs(events).find(
      (data) => data.label === 'sim-script Thought' && data.status === 'success',
    );
    expect(thought?.data).toEqual({
      output: '<think>plan</think>I look.',
      tool_name: 'look',
      tool_input: [{ name: 'look', args: { where: 'küche' } }],
    });
  });

  it.each([
    ['a refused call with what was wrong', [{ name: 'gone' }], { error: 'there is not a tool named gone' }],
    ['a call that threw without it', [{ name: 'explode' }], null],
  ])('is logged for %s (3.D-3, 3.D-4)', async (_name, calls, meta) => {
    const { events } = await world.play({ answers: [{ calls }, { text: 'Done.' }] }, GOLDEN_TOOLS);
    const { start, finish } = log(events, `CALL ${calls[0]?.name ?? ''}`);
    expect(start.metadata['provider']).toBe(meta === null ? 'builtin' : '');
    expect(finish.data).toMatchObject({ output: { tool_call_id: expect.any(String) } });
    const output = finish.data['output'];
    if (meta === null) {
      expect(output).not.toHaveProperty('meta');
      expect(output).toHaveProperty('tool_call_input', {});
    } else expect(output).toHaveProperty('meta', { time_cost: 0, tool_config: {}, ...meta });
  });
});

describe('execution_metadata (S0-15, S1-63, 3.E-8)', () => {
  it.each([true, false])('sums tokens and prices of all rounds, streamed: %s', async (enable_stream) => {
    const { id, view } = await world.play({ ...TWO_ROUNDS, config: { enable_stream } }, GOLDEN_TOOLS);
    const [first] = await world.journalledAnswers(id);
    expect(view.execution_metadata).toEqual({
      total_price: '0.00098',
      currency: 'USD',
      total_tokens: 340,
      prompt_tokens: 300,
      prompt_unit_price: '2',
      prompt_price_unit: '0.000001',
      prompt_price: '0.00058',
      completion_tokens: 40,
      completion_unit_price: '10',
      completion_price_unit: '0.000001',
      completion_price: '0.0004',
      latency: (first?.latencyMs ?? 0) / 1_000,
    });
  });

  it('is unknown where the provider reports no usage', async () => {
    const { view } = await world.play({ answers: [{ text: 'Done.', usage: null }] }, GOLDEN_TOOLS);
    const { currency, latency, ...numbers } = view.execution_metadata;
    expect([currency, latency]).toEqual(['', 0]);
    expect(Object.values(numbers)).toEqual(Array.from({ length: 10 }, () => null));
    expect(view.usage).toMatchObject({ total_tokens: null, total_cost_usd: null, unknown_calls: 1 });
  });
});
