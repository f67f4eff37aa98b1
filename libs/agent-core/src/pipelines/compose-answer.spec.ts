import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '#libs/kernel';
import { readPipeline } from '#libs/policy';
import { endPipeline } from './compose-answer.js';
import { stepData } from './step-data.js';
import type { SettledStep } from './step-state.js';

const given = { input: 'two roma', additional_data: {} };
const done = (name: string, output: JsonValue): SettledStep => ({
  name,
  outcome: { status: 'succeeded', output },
});
const STEPS = [
  done('find', { items: [{ id: 7 }], message: 'one item' }),
  done('draft', 'Two roma.'),
  { name: 'late', outcome: { status: 'skipped' } } as const,
];

function end(ending: JsonObject, steps: readonly SettledStep[] = STEPS, names = ['find', 'draft', 'late']) {
  const read = readPipeline({ steps: names, ...ending });
  if (read.kind === 'faults') throw new Error(JSON.stringify(read.faults));
  const rules = { ...read.pipeline, given };
  return endPipeline(rules, steps, stepData(rules, steps));
}

describe('the answer of a pipeline', () => {
  it.each<[string, JsonObject, string]>([
    ['what its last step came to', {}, 'Two roma.'],
    ['the same, said', { output_format: 'text' }, 'Two roma.'],
    ['the same as JSON', { output_format: 'json' }, '"Two roma."'],
    ['a text', { output_format: { text: '{{/steps/draft}} ({{/steps/find/items/0/id}})' } }, 'Two roma. (7)'],
    [
      'JSON',
      {
        output_format: {
          json: { text: '{{/steps/draft}}', items: '{{/steps/find/items}}', none: '{{/steps/late}}' },
        },
      },
      '{"text":"Two roma.","items":[{"id":7}],"none":null}',
    ],
  ])('is %s (S3-7, S3-35)', (_what, ending, text) => {
    expect(end(ending)).toEqual({ status: 'completed', text });
  });

  it.each<[string, JsonObject]>([
    ['a text', { text: '{{/steps/long}}'.repeat(6) }],
    ['JSON', { json: Array<string>(6).fill('{{/steps/long}}') }],
  ])('is none where it would be longer than fits: %s (S3-35)', (_what, format) => {
    const steps = [...STEPS, done('long', 'x'.repeat(200_000))];
    expect(end({ output_format: format }, steps, ['find', 'draft', 'late', 'long'])).toEqual({
      status: 'failed',
      error: { code: 'OUTPUT_INVALID', message: 'the answer is longer than 1000000 characters' },
    });
  });

  it('is JSON of the last output where that is a value', () => {
    expect(end({ output_format: 'json' }, STEPS.slice(0, 1))).toMatchObject({
      text: JSON.stringify(STEPS[0]?.outcome.status === 'succeeded' ? STEPS[0].outcome.output : null),
    });
    expect(end({ output_format: 'json' }, [])).toMatchObject({ text: 'null' });
    expect(end({}, [])).toMatchObject({ text: '' });
  });
});

describe('a valid answer', () => {
  const rule = (require: JsonObject, more: JsonObject = {}) => ({ require, message: 'no', ...more });
  const FAILED = {
    status: 'failed',
    error: { code: 'OUTPUT_INVALID', message: 'the answer does not keep to a rule: no' },
  };

  it.each<[string, JsonObject, boolean]>([
    ['of its text', rule({ value: '/answer', contains: 'roma' }), true],
    ['and does not, of its text', rule({ value: '/answer', contains: 'plum' }), false],
    ['of a step', rule({ value: '/steps/find/items/0/id', equals: 7 }), true],
    ['and does not, of a step', rule({ value: '/steps/late', exists: true }), false],
    [
      'and does not, where its condition is not met',
      rule({ value: '/steps/late', exists: true }, { when: { value: '/input', equals: 'x' } }),
      true,
    ],
    [
      'and does not, where it matters',
      rule({ value: '/steps/late', exists: true }, { when: { value: '/input', contains: 'roma' } }),
      false,
    ],
  ])('holds %s (S3-7)', (_what, one, holds) => {
    const always = rule({ value: '/input', exists: true });
    const outcome = end({ validation_rules: [always, one] });
    if (holds) expect(outcome).toEqual({ status: 'completed', text: 'Two roma.' });
    else expect(outcome).toEqual(FAILED);
  });

  it('is asked of the value where the answer is JSON', () => {
    const ending = { output_format: { json: { n: '{{/steps/find/items/0/id}}' } } };
    expect(end({ ...ending, validation_rules: [rule({ value: '/answer/n', at_least: 7 })] })).toMatchObject({
      status: 'completed',
    });
    expect(end({ ...ending, validation_rules: [rule({ value: '/answer/n', at_least: 8 })] })).toEqual(FAILED);
  });
});
