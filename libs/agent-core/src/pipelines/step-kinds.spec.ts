import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '#libs/kernel';
import { asks, says, toTheEnd } from '../../../../test/support/fakes/agents-at-work.js';
import { succeeded } from '../../../../test/support/fakes/loop-world.js';
import { kindsOf, pipelineOf, stepsOf, wantsN } from '../../../../test/support/fakes/pipeline-world.js';

const LIST = { name: 'list', kind: 'llm', prompt: '{{/input}}', output_schema: { type: 'object' } };
const each = (inner: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'each',
  kind: 'map',
  over: '/steps/list/items',
  do: inner,
  ...more,
});
const lists = (items: JsonValue) => [says(JSON.stringify({ items }))];
const SEARCH = { kind: 'tool', tool: 'search', arguments: { id: '{{/item/id}}', at: '{{/index}}' } };

describe('a step that branches', () => {
  const STEPS = stepsOf(
    { name: 'sort', kind: 'llm', prompt: '{{/input}}' },
    {
      name: 'choose',
      kind: 'branch',
      cases: [
        { when: { value: '/steps/sort', contains: 'order' }, then: 'order' },
        { when: { value: '/steps/sort', contains: 'spam' }, then: 'end' },
      ],
      otherwise: 'other',
    },
    { name: 'order', kind: 'llm', prompt: 'x' },
    { name: 'leave', kind: 'branch', cases: [{ when: { value: '/input', exists: true }, then: 'end' }] },
    { name: 'other', kind: 'llm', prompt: 'x' },
  );

  it.each<[string, string, string[]]>([
    [
      'order',
      'ordered',
      ['choose branched', 'order begun 1', 'order succeeded', 'leave branched', 'other skipped'],
    ],
    ['spam', 'spam', ['choose branched', 'order skipped', 'leave skipped', 'other skipped']],
    ['?', 'else', ['choose branched', 'order skipped', 'leave skipped', 'other begun 1', 'other succeeded']],
  ])('at "%s" goes on where it leads, and leaves the answer "%s" (S3-35)', async (sort, text, kinds) => {
    const scripts = { sort: [says(sort)], order: [says('ordered')], other: [says('else')] };
    const agents = pipelineOf(STEPS, scripts);
    expect(await toTheEnd(agents)).toMatchObject({ outcome: { status: 'completed', text } });
    expect(kindsOf(agents.world.journal.entries).slice(2)).toEqual(kinds);
  });

  it('goes on with the next step where nothing holds and nothing else is said', async () => {
    const steps = stepsOf(
      { name: 'choose', kind: 'branch', cases: [{ when: { value: '/input', equals: 1 }, then: 'end' }] },
      { name: 'on', kind: 'llm', prompt: 'x' },
    );
    expect(await toTheEnd(pipelineOf(steps, { on: [says('on')] }))).toMatchObject({
      outcome: { text: 'on' },
    });
  });
});

describe('a step for each item of a list', () => {
  it('does the same for all, and has what each came to in their order (S3-35)', async () => {
    const agents = pipelineOf(stepsOf(LIST, each(SEARCH)), { list: lists([{ id: 7 }, { id: 8 }]) });
    agents.world.tools.onRun = ({ input }) =>
      succeeded('ok', { result: { status: 'success', result: input } });
    expect(await toTheEnd(agents)).toMatchObject({ outcome: { status: 'completed' } });
    const steps = [...agents.world.journal.steps].map(([call, { callId, input }]) => [call, callId, input]);
    expect(steps.toSorted()).toEqual([
      ['1.0', 'list', { prompt: 'two roma' }],
      ['2.0', 'each[0]', { id: 7, at: 0 }],
      ['2.1', 'each[1]', { id: 8, at: 1 }],
    ]);
  });

  it('asks a model, or an agent, about each, in a loop of its own (S3-35)', async () => {
    for (const inner of [
      { kind: 'llm', prompt: 'Look at {{/item/id}}' },
      { kind: 'agent', agent: 7, prompt: 'Look at {{/item/id}}' },
    ]) {
      const agents = pipelineOf(stepsOf(LIST, each(inner)), {
        list: lists([{ id: 7 }, { id: 8 }]),
        each: [asks('search'), says('seen')],
      });
      expect(await toTheEnd(agents)).toMatchObject({ outcome: { text: '["seen","seen"]' } });
      expect(agents.planned.map(({ scope, input }) => [scope, input])).toEqual([
        ['1.0', '{"prompt":"two roma"}'],
        ['2.0', '{"prompt":"Look at 7"}'],
        ['2.1', '{"prompt":"Look at 8"}'],
      ]);
    }
  });

  it.each<[string, JsonValue, object]>([
    ['an empty list is done at once', [], { status: 'completed', text: '[]' }],
    [
      'no list fails',
      'none',
      { error: { code: 'STEP_FAILED', message: 'the step each failed: /steps/list/items is no list' } },
    ],
    [
      'too long a list fails',
      [1, 2, 3],
      { error: { message: 'the step each failed: /steps/list/items has 3 items, at most 2 are allowed' } },
    ],
  ])('%s', async (_what, items, outcome) => {
    const agents = pipelineOf(stepsOf(LIST, each(SEARCH, { max_items: 2 })), { list: lists(items) });
    expect(await toTheEnd(agents)).toMatchObject({ outcome });
    expect(agents.world.tools.runs.size).toBe(0);
  });

  it('fails with the first item that does, and runs all of them again where they only read', async () => {
    const steps = stepsOf(LIST, each(SEARCH, { retry: { max_attempts: 2 } }));
    const agents = pipelineOf(steps, { list: lists([{ id: 7 }, { id: 8 }]) });
    const fails = { status: 'failed', output: 'no', error: 'no' } as const;
    agents.world.tools.onRun = ({ position }) => (position === 1 ? fails : succeeded('ok'));
    expect(await toTheEnd(agents)).toMatchObject({
      outcome: { error: { message: 'the step each failed: of item 1: the tool search failed' } },
    });
    expect([...agents.world.tools.runs.keys()].toSorted()).toEqual(['2.0', '2.1', '3.0', '3.1']);
  });

  it('runs no item again where another one may have taken effect (S3-35)', async () => {
    const inner = { kind: 'tool', tool: 'charge' };
    const agents = pipelineOf(stepsOf(LIST, each(inner, { retry: { max_attempts: 3 } })), {
      list: lists([1, 2]),
    });
    const fails = { status: 'failed', output: 'no', error: 'no' } as const;
    agents.world.tools.onRun = ({ position }) => (position === 1 ? fails : succeeded('ok'));
    await toTheEnd(agents);
    expect([...agents.world.tools.runs.values()]).toEqual([1, 1]);
  });

  it.each([1, 3])('runs %d at once', async (concurrency) => {
    const agents = pipelineOf(stepsOf(LIST, each(SEARCH, { concurrency })), { list: lists([1, 2, 3, 4, 5]) });
    let [running, most] = [0, 0];
    agents.world.tools.onRun = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return succeeded('ok');
    };
    await toTheEnd(agents);
    expect(most).toBe(concurrency);
  });

  it('marks every item with foreign content', async () => {
    const steps = stepsOf(
      { name: 'read', kind: 'tool', tool: 'search' },
      { name: 'each', kind: 'map', over: '/steps/read/items', do: { kind: 'llm', prompt: '{{/item}}' } },
    );
    const agents = pipelineOf(steps, { each: [says('seen')] });
    const result = { status: 'success', result: { items: ['a'] } };
    agents.world.tools.onRun = () => succeeded(JSON.stringify(result), { result, foreign: 'a1b2' });
    await toTheEnd(agents);
    expect(agents.planned[0]?.input).toContain('[foreign content a1b2:');
  });
});

describe('a pipeline in a pipeline', () => {
  const INNER = { steps: stepsOf({ name: 'answer', kind: 'llm', prompt: 'x' }), given: { input: 'y' } };
  const call = { name: 'inner', kind: 'agent', agent: 7, prompt: 'x', output_schema: { type: 'object' } };
  const calling = (text: string) =>
    pipelineOf(
      stepsOf(call),
      { inner: [], answer: [says(text)] },
      {
        rules: { inner: { pipeline: INNER, answer: wantsN, maximumIterations: Number.MAX_SAFE_INTEGER } },
      },
    );

  it('is a scope with steps of its own (S3-35)', async () => {
    const agents = calling('{"n": 2}');
    expect(await toTheEnd(agents)).toMatchObject({ outcome: { status: 'completed', text: '{"n":2}' } });
    expect(agents.planned.map(({ scope, name }) => `${scope} ${name}`)).toEqual([
      '1.0 inner',
      '1.0/1.0 answer',
    ]);
  });

  it('fails when its answer does not match, since no correction is possible', async () => {
    expect(await toTheEnd(calling('none'))).toMatchObject({ outcome: { error: { code: 'OUTPUT_INVALID' } } });
  });
});

describe('a worker dies in a step for each item, another carries on', () => {
  const moments = Array.from({ length: 10 }, (_, index) => index + 1).flatMap((at) => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ]);

  it.each(moments)('$when commit $at: every item once, in its order (S3-35)', async ({ at, when }) => {
    const steps = stepsOf(LIST, each({ kind: 'tool', tool: 'charge', arguments: { id: '{{/item}}' } }));
    const agents = pipelineOf(steps, { list: lists([1, 2, 3]) }, { onUnknown: 'ask' });
    agents.world.journal.dieAt(at, when);
    expect(await toTheEnd(agents)).toMatchObject({ outcome: { status: 'completed' } });
    expect([...agents.world.tools.runs]).toEqual([
      ['2.0', 1],
      ['2.1', 1],
      ['2.2', 1],
    ]);
  });
});
