import { describe, expect, it } from '@jest/globals';
import { promptRoom, tokensOf } from './plan-history.js';

const MODEL = { contextSize: 400_000 };
const room = (context_size: number | null, parameters = {}) =>
  promptRoom({ context_size }, parameters, MODEL);

describe('the room for a prompt', () => {
  it.each([
    ['the context of the model, without a usual answer', null, {}, 391_808],
    ['the context that the agent names, without a usual answer', 100_000, {}, 91_808],
    ['three quarters of a small context', 8_000, {}, 6_000],
    ['what the answer that is asked for leaves', 8_000, { max_output_tokens: 100 }, 7_900],
    ['what it leaves where it came as a text', 8_000, { max_output_tokens: '100' }, 7_900],
    ['nothing where the answer is to take everything', 1_000, { max_output_tokens: 1_500 }, -500],
    ['three quarters where the limit is of no use', 8_000, { max_output_tokens: 'many' }, 6_000],
  ])('is %s', (_name, contextSize, parameters, tokens) => {
    expect(room(contextSize, parameters)).toBe(tokens);
  });
});

describe('tokens of texts', () => {
  it('are counted where their bytes do not fit, and not otherwise', () => {
    const counted: string[] = [];
    const count = (text: string) => counted.push(text);
    expect(tokensOf(['äö', 'b'], 5, { count })).toBe(5);
    expect(counted).toEqual([]);
    expect(tokensOf(['äö', 'b'], 4, { count })).toBe(3);
    expect(counted).toEqual(['äö', 'b']);
  });
});
