import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { GrowingMessagesUsage, readMessagesUsage } from './messages-usage.js';

const plain = { input_tokens: 10, output_tokens: 5 };
const counted = (input: number, cached: number, change: object = {}) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: 5,
  reasoning_tokens: 0,
  total_tokens: input + 5,
  ...change,
});

describe('readMessagesUsage', () => {
  it.each<[JsonObject, object]>([
    [plain, counted(10, 0)],
    [{ ...plain, cache_read_input_tokens: 100, cache_creation_input_tokens: null }, counted(110, 100)],
    [{ ...plain, cache_creation_input_tokens: 7 }, counted(17, 0, { cache_creation_5m_tokens: 7 })],
    [
      {
        ...plain,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      },
      counted(40, 0, { cache_creation_5m_tokens: 10, cache_creation_1h_tokens: 20 }),
    ],
    [
      { ...plain, cache_creation: { ephemeral_1h_input_tokens: 20 } },
      counted(30, 0, { cache_creation_1h_tokens: 20 }),
    ],
    [
      {
        ...plain,
        cache_creation_input_tokens: 25,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 20 },
      },
      counted(35, 0, { cache_creation_5m_tokens: 5, cache_creation_1h_tokens: 20 }),
    ],
    [{ ...plain, output_tokens_details: { thinking_tokens: 3 } }, counted(10, 0, { reasoning_tokens: 3 })],
  ])('reads %j', (usage, expected) => expect(readMessagesUsage(usage)).toEqual(expected));

  it.each<[string, JsonObject | null]>([
    ['nothing', null],
    ['an empty object', {}],
    ['no output', { input_tokens: 10 }],
    ['no input', { output_tokens: 5 }],
    ['zeros', { input_tokens: 0, output_tokens: 0 }],
    ['a negative count', { ...plain, input_tokens: -4, cache_read_input_tokens: 5 }],
    ['a fraction', { ...plain, input_tokens: 1.5 }],
    ['a text', { ...plain, cache_read_input_tokens: '5' }],
    ['more reasoning than output', { ...plain, output_tokens_details: { thinking_tokens: 6 } }],
    [
      'writes by lifetime that exceed their sum',
      { ...plain, cache_creation_input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 6 } },
    ],
  ])('S1-36: never guesses from %s', (_case, usage) => expect(readMessagesUsage(usage)).toBeNull());
});

describe('GrowingMessagesUsage', () => {
  it('adds the end to the beginning, whose count of output means nothing, and lets null overwrite nothing', () => {
    const usage = new GrowingMessagesUsage();
    usage.begin({ input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 });
    expect(usage.reported).toBeNull();
    usage.end({ output_tokens: 5, cache_read_input_tokens: null });
    expect(usage.reported).toEqual({ input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 5 });
  });

  it('has none without an end', () => {
    const usage = new GrowingMessagesUsage();
    usage.begin({ input_tokens: 10, output_tokens: 1 });
    usage.end(null);
    expect(readMessagesUsage(usage.reported)).toBeNull();
  });
});
