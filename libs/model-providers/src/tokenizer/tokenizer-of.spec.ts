import { describe, expect, it } from '@jest/globals';
import { tokenCounterOf } from './count-tokens.js';
import { tokenizerOf } from './tokenizer-of.js';

describe('the tokenizer of a model', () => {
  it.each([
    ['gpt-5-mini', 'o200k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['of-somebody-else', 'cl100k_base'],
  ])('of %s is %s', (model, name) => {
    const tokenizer = tokenizerOf(model);
    expect(tokenizer.name).toBe(name);
    expect(tokenizer.count('お誕生日おめでとう')).toBe(tokenCounterOf(model)('お誕生日おめでとう'));
  });

  it('counts a very long text by its beginning, in proportion', () => {
    const text = 'tomatoes and a cup of tea, '.repeat(20_000);
    const whole = tokenCounterOf('gpt-5')(text);
    expect(Math.abs(tokenizerOf('gpt-5').count(text) - whole) / whole).toBeLessThan(0.01);
  });
});
