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
    ['zero', { input_tokens: 0, output_tokens: 0 }, counts(0, 0)],
  ])('S1-36: reads %s', (_case, usage, expected) => expect(readUsage({ usage })).toEqual(expected));

  it.each<[string, JsonObject]>([
    ['missing', {}],
    ['null', { usage: null }],
    ['text', { usage: '12' }],
    ['half', { usage: { input_tokens: 3 } }],
    ['negative', { usage: { ...whole, output_tokens: -1 } }],
    ['broken into parts of a token', { usage: { ...whole, input_tokens: 1.5 } }],
    ['infinite', { usage: { ...whole, output_tokens: Number.POSITIVE_INFINITY } }],
    ['more than any model can read', { usage: { ...whole, input_tokens: 2e12 } }],
    ['more cached than read', { usage: { ...whole, input_tokens_details: { cached_tokens: 101 } } }],
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
