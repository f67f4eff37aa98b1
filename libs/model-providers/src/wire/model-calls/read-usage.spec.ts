import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { readUsage } from './read-usage.js';

const whole = {
  input_tokens: 100,
  output_tokens: 20,
  total_tokens: 120,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens_details: { reasoning_tokens: 15 },
};
const read = {
  input_tokens: 100,
  cached_input_tokens: 60,
  output_tokens: 20,
  reasoning_tokens: 15,
  total_tokens: 120,
};

describe('readUsage', () => {
  it.each<[string, JsonObject, object]>([
    ['all counts', whole, read],
    ['no details', { input_tokens: 3, output_tokens: 2 }, counts(3, 2)],
    ['a total that is wrong', { ...whole, total_tokens: 7 }, read],
    ['more than 32 bits hold', { input_tokens: 5e9, output_tokens: 2 }, counts(5e9, 2)],
    [
      'what was written into caches',
      {
        input_tokens: 100,
        output_tokens: 1,
        input_tokens_details: {
          cached_tokens: 10,
          cache_creation_tokens: 50,
          cache_creation_token_details: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
        },
      },
      {
        ...counts(100, 1),
        cached_input_tokens: 10,
        cache_creation_5m_tokens: 20,
        cache_creation_1h_tokens: 30,
      },
    ],
    [
      'what was written into a cache without a stated lifetime',
      { input_tokens: 100, output_tokens: 1, input_tokens_details: { cache_write_tokens: 50 } },
      { ...counts(100, 1), cache_creation_5m_tokens: 50 },
    ],
    ['no output', { input_tokens: 3, output_tokens: 0 }, counts(3, 0)],
    [
      'the other names',
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      read,
    ],
  ])('S1-36: reads %s', (_case, usage, expected) => expect(readUsage({ usage })).toEqual(expected));

  it.each<[string, JsonObject]>([
    ['missing', {}],
    ['null', { usage: null }],
    ['text', { usage: '12' }],
    ['half', { usage: { input_tokens: 3 } }],
    ['zero', { usage: { input_tokens: 0, output_tokens: 0 } }],
    ['negative', { usage: { ...whole, output_tokens: -1 } }],
    ['broken into parts of a token', { usage: { ...whole, input_tokens: 1.5 } }],
    ['infinite', { usage: { ...whole, output_tokens: Number.POSITIVE_INFINITY } }],
    ['more than any model can read', { usage: { ...whole, input_tokens: 2e12 } }],
    ['more cached than read', { usage: { ...whole, input_tokens_details: { cached_tokens: 101 } } }],
    [
      'more cached and written into a cache than read',
      { usage: { ...whole, input_tokens_details: { cached_tokens: 60, cache_creation_tokens: 41 } } },
    ],
    ['a cache that is no number', { usage: { ...whole, input_tokens_details: { cache_write_tokens: 'x' } } }],
    ['more reasoned than written', { usage: { ...whole, output_tokens_details: { reasoning_tokens: 21 } } }],
  ])('S1-36: usage that is %s is not guessed', (_case, response) => expect(readUsage(response)).toBeNull());
});

function counts(input: number, output: number) {
  return {
    input_tokens: input,
    cached_input_tokens: 0,
    output_tokens: output,
    reasoning_tokens: 0,
    total_tokens: input + output,
  };
}
