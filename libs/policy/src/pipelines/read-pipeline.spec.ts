import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '#libs/kernel';
import { readPipeline, withoutPipeline } from './read-pipeline.js';

const ask = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  kind: 'llm',
  prompt: '{{/input}}',
  ...more,
});
const call = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  kind: 'tool',
  tool: 'look',
  ...more,
});

const branch = (then: string, more: JsonObject = {}): JsonObject => ({
  name: 'choose',
  kind: 'branch',
  cases: [{ when: { value: '/input', exists: true }, then }],
  ...more,
});
const map = (more: JsonObject): JsonObject => ({
  name: 'each',
  kind: 'map',
  over: '/additional_data/items',
  do: { kind: 'tool', tool: 'look', arguments: { of: '{{/item/id}} {{/index}}' } },
  ...more,
});

function faultsOf(steps: JsonValue, more: JsonObject = {}): string[] {
  const read = readPipeline({ steps, ...more });
  return read.kind === 'read' ? [] : read.faults.map(({ path }) => path.map(String).join('/'));
}

const saysOf = (steps: JsonValue): string[] => {
  const read = readPipeline({ steps });
  return read.kind === 'read' ? [] : read.faults.map(({ message }) => message);
};

describe('a pipeline', () => {
  it('is what its agent says, and passes over what else there is in the config (S3-7, S3-35)', () => {
    const draft = ask('draft', {
      prompt: '{{/input}}: {{/steps/find/items/0}}',
      tools: [],
      when: { value: '/steps/find/count', at_least: 1 },
      retry: { max_attempts: 2 },
      limits: { timeout_seconds: 10 },
      output_schema: { type: 'object' },
    });
    const find = call('find', {
      arguments: { query: '{{/input}}', deep: [{ a: '{{/additional_data/a}}' }] },
    });
    const read = readPipeline({ steps: [find, draft], temperature: 0.1, strategy: 'gpt5_react' });
    expect(read).toEqual({ kind: 'read', pipeline: { steps: [find, draft] } });
  });

  it('may call agents, branch to later steps or the end, and do something for every item (S3-35)', () => {
    const call = { name: 'review', kind: 'agent', agent: 7, prompt: '{{/steps/each}}' };
    const steps = [branch('review', { otherwise: 'end' }), map({}), call];
    const read = readPipeline({ steps });
    const each = { ...steps[1], max_items: 64, concurrency: 1 };
    expect(read).toEqual({ kind: 'read', pipeline: { steps: [steps[0], each, call] } });
  });

  it('may name its steps only: then a model does each, and knows what those before came to (S3-35)', () => {
    const read = readPipeline({ steps: ['analyze', 'fetch_metrics', 'draft', 'refine'] });
    expect(read).toMatchObject({
      kind: 'read',
      pipeline: { steps: [{ name: 'analyze', kind: 'llm' }, {}, {}, {}] },
    });
    const prompts =
      read.kind === 'read' ? read.pipeline.steps.map((step) => ('prompt' in step ? step.prompt : '')) : [];
    expect(prompts[0]).toContain('{{/input}}');
    expect(prompts[0]).not.toContain('/steps/');
    expect(prompts[3]).toMatch(/analyze\}\}[^]*fetch_metrics\}\}[^]*draft\}\}$/);
  });

  it.each<[string, JsonValue, string[]]>([
    ['there are none', [], ['steps']],
    ['they are no list', { name: 'a' }, ['steps']],
    ['there are 33', Array.from({ length: 33 }, (_, n) => `s${n}`), ['steps']],
    ['one is no step', [7], ['steps/0']],
    ['a name is none', ['two words'], ['steps/0']],
    ['a name cannot be kept', ['__proto__'], ['steps/0']],
    ['a kind is not known', [{ name: 'a', kind: 'code', code: '1' }], ['steps/0/kind']],
    ['a key is not known', [ask('a', { promt: 'x' })], ['steps/0/promt']],
    ['a prompt is missing', [{ name: 'a', kind: 'llm' }], ['steps/0/prompt']],
    ['two have one name', [ask('a'), ask('a')], ['steps/1/name']],
    ['a step reads what comes later', [ask('a', { prompt: '{{/steps/b}}' }), ask('b')], ['steps/0/prompt']],
    ['a step reads itself', [ask('a', { prompt: '{{/steps/a}}' })], ['steps/0/prompt']],
    ['a step reads what there is not', [ask('a', { prompt: '{{/steps/b}}' })], ['steps/0/prompt']],
    ['all steps at once are read', [ask('a'), ask('b', { prompt: '{{/steps}}' })], ['steps/1/prompt']],
    ['a place leads elsewhere', [ask('a', { prompt: '{{/secrets}}' })], ['steps/0/prompt']],
    ['a place is no pointer', [ask('a', { prompt: '{{input}}' })], ['steps/0/prompt']],
    ['a place does not end', [ask('a', { prompt: '{{/input' })], ['steps/0/prompt']],
    ['an argument has such a place', [call('a', { arguments: { deep: ['{{x}}'] } })], ['steps/0/arguments']],
    [
      'an argument reads what comes later',
      [call('a', { arguments: { q: '{{/steps/b}}' } }), ask('b')],
      ['steps/0/arguments'],
    ],
    ['a condition is none', [ask('a', { when: { value: '/input' } })], ['steps/0/when']],
    [
      'a condition has two tests',
      [ask('a', { when: { value: '/input', equals: 1, exists: true } })],
      ['steps/0/when'],
    ],
    [
      'a condition reads what there is not',
      [ask('a', { when: { not: { value: '/steps/b', exists: true } } })],
      ['steps/0/when'],
    ],
    ['it is tried too often', [ask('a', { retry: { max_attempts: 6 } })], ['steps/0/retry/max_attempts']],
    ['a limit is none', [ask('a', { limits: { timeout_seconds: 0 } })], ['steps/0/limits/timeout_seconds']],
    ['a schema is none', [ask('a', { output_schema: 'object' })], ['steps/0/output_schema']],
    ['a tool is called like a step', [ask('look'), call('b')], ['steps/1/tool']],
    ['a name stands for the end', [ask('end')], ['steps/0/name']],
    ['an agent is none', [{ name: 'a', kind: 'agent', agent: 'clerk', prompt: 'x' }], ['steps/0/agent']],
    ['a branch has no case', [{ name: 'a', kind: 'branch', cases: [] }], ['steps/0/cases']],
    ['a branch leads back', [ask('b'), branch('b')], ['steps/1/cases/0/then']],
    ['a branch leads to itself', [branch('choose')], ['steps/0/cases/0/then']],
    ['a branch leads nowhere', [branch('gone')], ['steps/0/cases/0/then']],
    ['a branch leads back otherwise', [ask('b'), branch('end', { otherwise: 'b' })], ['steps/1/otherwise']],
    ['a branch is tried again', [branch('end', { retry: { max_attempts: 2 } })], ['steps/0/retry']],
    ['a branch is read', [branch('end'), ask('b', { prompt: '{{/steps/choose}}' })], ['steps/1/prompt']],
    [
      'a case reads what comes later',
      [branch('b', { cases: [{ when: { value: '/steps/b', exists: true }, then: 'b' }] }), ask('b')],
      ['steps/0/cases/0/when'],
    ],
    ['a list is no pointer', [map({ over: 'items' })], ['steps/0/over']],
    ['a list is of what comes later', [map({ over: '/steps/b' }), ask('b')], ['steps/0/over']],
    ['items of items', [map({ do: map({}) })], ['steps/0/do/kind']],
    ['an item is read where there is none', [ask('a', { prompt: '{{/item}}' })], ['steps/0/prompt']],
    ['a list has too many items', [map({ max_items: 65 })], ['steps/0/max_items']],
    ['too much is done at once', [map({ concurrency: 9 })], ['steps/0/concurrency']],
    ['a tool of items is called like a step', [ask('look'), map({})], ['steps/1/do/tool']],
  ])('is refused where %s (S3-35)', (_what, steps, places) => {
    expect(faultsOf(steps)).toEqual(places);
  });

  it('says what is wrong with a reference', () => {
    expect(saysOf([ask('a', { prompt: '{{/steps/b}}' }), ask('b')])).toEqual([
      'refers to the step "b", which does not come before this one',
    ]);
    expect(saysOf([ask('a', { prompt: '{{/steps/c}}' })])).toEqual([
      'refers to the step "c", which there is not',
    ]);
    expect(saysOf([{ name: 'a', kind: 'code' }])).toEqual(['must be llm, tool, agent, branch or map']);
    expect(saysOf([ask('b'), branch('b')])).toEqual(['leads back to the step "b": must lead to a later one']);
  });

  it('says what its answer is made of, and what has to hold of it (S3-7)', () => {
    const ending = {
      output_format: { json: { a: '{{/steps/a}}' } },
      validation_rules: [{ require: { value: '/answer/a', exists: true }, message: 'no a' }],
    };
    expect(readPipeline({ steps: [ask('a')], ...ending })).toEqual({
      kind: 'read',
      pipeline: { steps: [ask('a')], ...ending },
    });
  });

  const rule = { require: { value: '/answer', exists: true }, message: 'no' };
  it.each<[string, JsonObject, string]>([
    ['a format is none', { output_format: 'xml' }, 'output_format'],
    ['a format is two', { output_format: { text: 'x', json: 1 } }, 'output_format'],
    ['a format has a place that is none', { output_format: { json: ['{{x}}'] } }, 'output_format/json'],
    ['a format reads what there is not', { output_format: { text: '{{/steps/b}}' } }, 'output_format'],
    ['a format reads itself', { output_format: { text: '{{/answer}}' } }, 'output_format'],
    ['rules are no list', { validation_rules: rule }, 'validation_rules'],
    [
      'a rule has no message',
      { validation_rules: [{ require: rule.require }] },
      'validation_rules/0/message',
    ],
    ['a rule is none', { validation_rules: [rule, { ...rule, require: 'x' }] }, 'validation_rules/1/require'],
    [
      'a rule reads what there is not',
      { validation_rules: [{ ...rule, when: { value: '/steps/b', exists: true } }] },
      'validation_rules/0/when',
    ],
  ])('is refused where %s', (_what, ending, place) => {
    expect(faultsOf(['a'], ending)).toEqual([place]);
  });

  it('is no matter of the model', () => {
    expect(withoutPipeline({ steps: [], output_format: 'json', temperature: 1 })).toEqual({ temperature: 1 });
  });
});
