import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineTool, type ToolDefinition, type ToolReturn } from '#libs/tooling';
import { z } from 'zod';
import { aTool } from '../../support/builders/tool.js';
import { STRATEGIES, StrategyWorld, type PlayedRun, type ScriptedRun } from './strategy-world.js';

let world: StrategyWorld;
beforeAll(async () => {
  world = await StrategyWorld.open();
});
afterAll(() => world.close());

const SAY_DONE = { text: 'Done.' };
const MEGABYTE = 1_048_576;
/** Maximum bytes that one call may leave in an event, a step or a prompt, far less than the hostile input. */
const MAX_BYTES = 300_000;

const received: object[] = [];
const search = defineTool({
  name: 'search',
  label: 'search',
  description: 'Searches.',
  effect: 'read',
  input: z.object({ query: z.string() }),
  timeoutMs: 5_000,
  run: (input) => {
    received.push(input);
    return Promise.resolve({ result: { status: 'success', result: { message: 'found' } } });
  },
});

function returning(value: unknown): ToolDefinition {
  return aTool('tool', { run: () => Promise.resolve(value as ToolReturn) });
}

/** Tool outputs in the model's last request. */
function outputsOf({ requests }: PlayedRun): string[] {
  return (requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  );
}

async function stepsOf(run: PlayedRun) {
  return world.rows<{ tool_name: string; status: string; bytes: number }>(
    `SELECT tool_name, status, octet_length(input::text) + coalesce(octet_length(output::text), 0) AS bytes
       FROM run_step WHERE execution_id = $1 ORDER BY round, position`,
    run.id,
  );
}

const eventBytes = (run: PlayedRun): number =>
  Math.max(...run.events.map((event) => JSON.stringify(event).length));

/** Expects a conversation that providers accept: the next turn runs on top of all earlier messages. */
async function expectNextTurn(run: PlayedRun): Promise<void> {
  const next = await world.play({ answers: [{ text: 'Next.' }] }, [], run.sessionId);
  expect(next.view).toMatchObject({ status: 'completed', result: { message: { content: 'Next.' } } });
}

async function play(run: ScriptedRun, tools: readonly ToolDefinition[]): Promise<PlayedRun> {
  const played = await world.play(run, tools);
  await expectNextTurn(played);
  return played;
}

describe('a hostile model', () => {
  it.each(STRATEGIES)(
    'with endless calls ends %s at the limit of rounds (S0-14, S1-57)',
    async (strategy) => {
      const tools = [aTool('look')];
      const looping = { answers: [{ calls: [{ name: 'look' }] }], then: 'repeat_last' as const };
      const run = await play({ ...looping, config: { strategy, maximum_iterations: 5 } }, tools);
      expect(run.view).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_iterations' },
      });
      expect(run.requests).toHaveLength(5);
      expect((await stepsOf(run)).map((step) => step.status)).toEqual([
        ...Array.from({ length: 4 }, () => 'succeeded'),
        'refused',
      ]);
    },
  );

  it('with 50 calls at once has eight of them running, and its outputs in the order of its calls (S0-13, S1-63)', async () => {
    let running = 0;
    let most = 0;
    const work = defineTool({
      name: 'work',
      label: 'work',
      description: 'Works for a while.',
      timeoutMs: 5_000,
      effect: 'read',
      input: z.object({ number: z.number() }),
      run: async ({ number }) => {
        running += 1;
        most = Math.max(most, running);
        // Later calls of each eight end first.
        for (let turns = 0; turns < 8 - (number % 8); turns += 1) await nextTurn();
        running -= 1;
        return { result: { status: 'success', result: { number } } };
      },
    });
    const numbers = Array.from({ length: 50 }, (_none, number) => number);
    const calls = numbers.map((number) => ({ name: 'work', arguments: { number } }));
    const run = await play({ answers: [{ calls }, SAY_DONE] }, [work]);
    expect(run.view.status).toBe('completed');
    expect(most).toBe(8);
    expect(outputsOf(run)).toEqual(
      numbers.map((number) => JSON.stringify({ status: 'success', result: { number } })),
    );
    expect(await stepsOf(run)).toHaveLength(50);
  });

  it.each([true, false])(
    'with one id for two calls has both run, each answered under an id of its own, streamed: %s (S0-12)',
    async (enable_stream) => {
      const fault = { fault: { kind: 'duplicate_call_id' } };
      const answers = [{ calls: [{ name: 'look' }, { name: 'list' }], faults: [fault] }, SAY_DONE];
      const run = await play({ answers, config: { enable_stream } }, [aTool('look'), aTool('list')]);
      expect(run.view.status).toBe('completed');
      const ran = ['look', 'list'].map((tool_name) => ({ tool_name, status: 'succeeded' }));
      expect(await stepsOf(run)).toMatchObject(ran);
      expect(outputsOf(run)).toHaveLength(2);
    },
  );

  it('with an id of an earlier round has both calls run and answered (S0-13)', async () => {
    const again = { calls: [{ name: 'list' }], faults: [{ fault: { kind: 'reused_call_id' } }] };
    const run = await play({ answers: [{ calls: [{ name: 'look' }] }, again, SAY_DONE] }, [
      aTool('look'),
      aTool('list'),
    ]);
    expect(run.view.status).toBe('completed');
    expect(await stepsOf(run)).toMatchObject([{ tool_name: 'look' }, { tool_name: 'list' }]);
    expect(outputsOf(run).map((output) => (JSON.parse(output) as { status: string }).status)).toEqual([
      'success',
      'success',
    ]);
  });

  it.each([
    ['one_megabyte', 'tool arguments parse error: tool arguments must have at most 262144 characters'],
    ['deep', 'tool arguments parse error: tool arguments must be nested at most 64 levels deep'],
    ['null', 'tool arguments parse error: tool arguments must be a JSON object'],
    ['invalid_json', 'tool arguments parse error: tool arguments must be valid JSON object'],
  ])(
    'with arguments of the kind %s is answered with the reason, and nothing runs (S0-34, S1-68, S1-78)',
    async (value, reported) => {
      received.length = 0;
      const run = await play(hostileArguments(value), [search]);
      expect(run.view.status).toBe('completed');
      expect(received).toEqual([]);
      expect(outputsOf(run)).toEqual([reported]);
      expect(await stepsOf(run)).toMatchObject([{ status: 'refused' }]);
      expect(eventBytes(run)).toBeLessThan(MAX_BYTES);
    },
  );

  it.each([
    ['nul', 'ab'],
    ['lone_surrogate', 'a\ufffdb'],
    ['lone_surrogate_escaped', 'a\ufffdb'],
    ['proto', 'lemons'],
  ])('with arguments of the kind %s has them made safe first (S0-32, S1-78)', async (value, query) => {
    received.length = 0;
    const run = await play(hostileArguments(value), [search]);
    expect(run.view.status).toBe('completed');
    expect(received).toEqual([{ query }]);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(outputsOf(run)).toEqual(['{"status":"success","result":{"message":"found"}}']);
    expect(JSON.stringify(run.events)).not.toContain('__proto__');
  });
});

function hostileArguments(value: string): ScriptedRun {
  const calls = [{ name: 'search', arguments: { query: 'lemons' } }];
  return { answers: [{ calls, faults: [{ fault: { kind: 'arguments', value } }] }, SAY_DONE] };
}

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = { in: value };
  return value;
}

describe('a hostile tool', () => {
  it.each(['read', 'idempotent'] as const)(
    'with the effect %s is left behind when it ignores its abort signal (S0-37, S1-71)',
    async (effect) => {
      const stuck = aTool('stuck', { effect, timeoutMs: 50, run: () => new Promise(() => undefined) });
      const run = await play({ answers: [{ calls: [{ name: 'stuck' }] }, SAY_DONE] }, [stuck]);
      expect(run.view.status).toBe('completed');
      expect(outputsOf(run)).toEqual(['tool invoke error: failed to execute tool']);
      expect(await stepsOf(run)).toMatchObject([{ status: 'failed' }]);
    },
  );

  it('with the effect unsafe is not repeated after a timeout, and the model is informed where the tool says so', async () => {
    const stuck = aTool('stuck', {
      effect: 'unsafe',
      timeoutMs: 50,
      onUnknown: 'inform',
      run: () => new Promise(() => undefined),
    });
    const run = await play(
      { answers: [{ calls: [{ name: 'stuck' }] }, { calls: [{ name: 'stuck' }] }, SAY_DONE] },
      [stuck],
    );
    expect(run.view.status).toBe('completed');
    expect(await stepsOf(run)).toMatchObject([{ status: 'outcome_unknown' }, { status: 'refused' }]);
  });

  it.each<[string, ToolDefinition]>([
    [
      '100 MB of result',
      returning({ result: { status: 'success', result: { a: 'x'.repeat(100 * MEGABYTE) } } }),
    ],
    [
      '100 MB of text',
      returning({
        result: { status: 'success', result: {} },
        outputs: [{ type: 'text', text: 'x'.repeat(100 * MEGABYTE) }],
      }),
    ],
    ['a result in a cycle', returning({ result: { status: 'success', result: cyclic } })],
    [
      'a result 10 000 levels deep',
      returning({ result: { status: 'success', result: { a: nested(10_000) } } }),
    ],
    [
      'deep JSON as its output',
      returning({
        result: { status: 'success', result: {} },
        outputs: [{ type: 'json', json: nested(10_000) }],
      }),
    ],
  ])('with the result %s is cut, and the model reads the rest (S1-63)', async (_name, tool) => {
    const run = await play({ answers: [{ calls: [{ name: 'tool' }] }, SAY_DONE] }, [tool]);
    expect(run.view.status).toBe('completed');
    const [step] = await stepsOf(run);
    expect(step?.status).toBe('succeeded');
    expect(step?.bytes).toBeLessThan(MAX_BYTES);
    expect(eventBytes(run)).toBeLessThan(MAX_BYTES);
    expect(outputsOf(run)[0]?.length).toBeLessThan(MAX_BYTES);
    expect(outputsOf(run)[0]).toMatch(/cut/);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'done'],
    ['a result of no known status', { result: { status: 'maybe', result: {} } }],
    ['staged changes that are none', { result: { status: 'success', result: {} }, staged: [7] }],
  ])('with the result %s has failed (S0-37, S1-71)', async (_name, value) => {
    const run = await play({ answers: [{ calls: [{ name: 'tool' }] }, SAY_DONE] }, [returning(value)]);
    expect(run.view.status).toBe('completed');
    expect(outputsOf(run)).toEqual(['tool invoke error: failed to execute tool']);
    expect(await stepsOf(run)).toMatchObject([{ status: 'failed' }]);
  });

  it('has failed after throwing a value that is not an error, before it returns a promise (S0-37, S1-71)', async () => {
    const rude = aTool('tool', {
      run: () => {
        // oxlint-disable-next-line typescript/only-throw-error -- what others write may throw anything
        throw 'password=hunter2\u0000';
      },
    });
    const run = await play({ answers: [{ calls: [{ name: 'tool' }] }, SAY_DONE] }, [rude]);
    expect(run.view.status).toBe('completed');
    expect(outputsOf(run)).toEqual(['tool invoke error: failed to execute tool']);
    expect(JSON.stringify([run.events, run.view, run.requests])).not.toContain('hunter2');
  });
});
