import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { readJsonAnswer } from './validate-answer.js';

describe('the JSON of an answer', () => {
  it.each<[string, string, JsonValue]>([
    ['by itself', ' {"n": 2}\n', { n: 2 }],
    ['in a block of Markdown', '```json\n{"n": 2}\n```', { n: 2 }],
    ['behind a thought (S0-25)', '<think>two, {"n": 3}?</think>\n{"n": 2}', { n: 2 }],
    ['behind a thought, in a block of Markdown (S0-25)', '<think>two</think>```\n{"n": 2}\n```', { n: 2 }],
    ['of which a text looks like a thought', '{"n": "<think>"}', { n: '<think>' }],
    ['that is no object', '"two"', 'two'],
  ])('is read %s', (_where, text, data) => {
    expect(readJsonAnswer(text)).toEqual({ success: true, data });
  });

  it.each([
    ['a sentence', 'two'],
    ['JSON in a thought alone', '<think>{"n": 2}</think>'],
    ['JSON with words behind it', '{"n": 2} I think'],
    ['nothing', ''],
  ])('is not there in %s', (_what, text) => {
    expect(readJsonAnswer(text)).toEqual({ success: false });
  });
});
