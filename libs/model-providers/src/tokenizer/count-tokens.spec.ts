import { describe, expect, it } from '@jest/globals';
import { tokenCounterOf } from './count-tokens.js';

describe('tokens', () => {
  it.each([
    ['text-embedding-3-small', 'tiktoken is great!', 6],
    ['text-embedding-3-small', 'お誕生日おめでとう', 9],
    ['gpt-4o-mini', 'お誕生日おめでとう', 8],
    ['of-somebody-else', 'tiktoken is great!', 6],
    ['text-embedding-3-small', '', 0],
  ])('of %s in %j are %i', (model, text, tokens) => {
    expect(tokenCounterOf(model)(text)).toBe(tokens);
  });

  it('are counted of what looks like a sign of the model, too', () => {
    expect(tokenCounterOf('text-embedding-3-small')('a <|endoftext|> b')).toBeGreaterThan(3);
  });
});
