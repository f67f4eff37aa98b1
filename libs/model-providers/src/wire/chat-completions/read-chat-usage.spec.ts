import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { endingOfChat } from './chat-body.js';

const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

describe('the usage of a chat completion', () => {
  const choices = [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }];
  const usageOf = (usage: JsonObject | null) => {
    const ending = endingOfChat({ choices, usage });
    if (ending.kind !== 'answered') throw new Error('no answer');
    return ending.answer.usage;
  };

  it.each<[string, JsonObject | null, object | null]>([
    ['plain', USAGE, { input_tokens: 9, output_tokens: 4, total_tokens: 13 }],
    [
      'with details',
      {
        ...USAGE,
        prompt_tokens_details: { cached_tokens: 9 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
      { cached_input_tokens: 9, reasoning_tokens: 4 },
    ],
    ['without a total', { prompt_tokens: 1, completion_tokens: 2 }, { total_tokens: 3 }],
    [
      'with reasoning tokens in the total alone',
      {
        prompt_tokens: 9,
        completion_tokens: 4,
        total_tokens: 20,
        completion_tokens_details: { reasoning_tokens: 7 },
      },
      { output_tokens: 11, reasoning_tokens: 7, total_tokens: 20 },
    ],
    [
      'by the other names',
      { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 2 } },
      { input_tokens: 9, cached_input_tokens: 2, output_tokens: 4, total_tokens: 13 },
    ],
    [
      'by both names, one of which is null',
      { ...USAGE, input_tokens: null, output_tokens: null },
      { total_tokens: 13 },
    ],
    ['all zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, null],
    ['with one side alone', { prompt_tokens: 9 }, null],
    ['contradictory', { ...USAGE, prompt_tokens_details: { cached_tokens: 10 } }, null],
    ['null', null, null],
    ['empty', {}, null],
  ])('%s', (_case, usage, expected) =>
    expected === null ? expect(usageOf(usage)).toBeNull() : expect(usageOf(usage)).toMatchObject(expected),
  );
});
