import { describe, expect, it } from '@jest/globals';
import { tokenCounterOf, tokenizerOf } from './count-tokens.js';

describe('the tokenizer of a model', () => {
  it.each([
    ['gpt-5-mini', 'o200k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['of-another-vendor', 'cl100k_base'],
  ])('for %s is %s', (model, name) => {
    const tokenizer = tokenizerOf(model);
    expect(tokenizer.name).toBe(name);
    expect(tokenizer.count('お誕生日おめでとう')).toBe(tokenCounterOf(model)('お誕生日おめでとう'));
  });
});
