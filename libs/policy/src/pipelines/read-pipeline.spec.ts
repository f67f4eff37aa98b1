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
  ])('is refused where %s', (_what, steps, places) => {
    expect(faultsOf(steps)).toEqual(places);
  });

  it('says what is wrong with a reference', () => {
    expect(saysOf([ask('a', { prompt: '{{/steps/b}}' }), ask('b')])).toEqual([
      'refers to the step "b", which does not come before this one',
    ]);
    expect(saysOf([ask('a', { prompt: '{{/steps/c}}' })])).toEqual([
      'refers to the step "c", which there is not',
    ]);
    expect(saysOf([{ name: 'a', kind: 'map' }])).toEqual(['must be llm or tool']);
  });

  it('is refused with what nothing would follow from', () => {
    const more = { output_format: 'json', validation_rules: [] };
    expect(faultsOf(['a'], more)).toEqual(['output_format', 'validation_rules']);
  });

  it('is no matter of the model', () => {
    expect(withoutPipeline({ steps: [], output_format: 'json', temperature: 1 })).toEqual({ temperature: 1 });
  });
});
