import { describe, expect, it } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { tokenCounterOf } from './count-tokens.js';
import { encodings } from './load-encoding.js';

describe('tokens', () => {
  it.each([
    ['text-embedding-3-small', 'tiktoken is great!', 6],
    ['text-embedding-3-small', 'お誕生日おめでとう', 9],
    ['gpt-4o-mini', 'お誕生日おめでとう', 8],
    ['of-another-vendor', 'tiktoken is great!', 6],
    ['text-embedding-3-small', '', 0],
  ])('for %s in %j are %i', (model, text, tokens) => {
    expect(tokenCounterOf(model)(text)).toBe(tokens);
  });

  it('are as many of a long text as the tokenizer finds in the whole', () => {
    const text = 'The quick brown fox jumps over the lazy dog, twice. '.repeat(200);
    expect(tokenCounterOf('text-embedding-3-small')(text)).toBe(countTokens(text));
  });

  it('are nearly as many of a run of letters that has no end', () => {
    const text = '語'.repeat(3_000);
    const whole = countTokens(text);
    const counted = tokenCounterOf('text-embedding-3-small')(text);
    expect(counted).toBeGreaterThanOrEqual(whole);
    expect(counted).toBeLessThanOrEqual(whole + 6);
  });

  it.each([
    ['prose', 'tomatoes and a cup of tea, '.repeat(3_000)],
    [
      'a text of two kinds',
      'tomatoes and a cup of tea, '.repeat(3_000) + 'お誕生日おめでとう。\n'.repeat(3_000),
    ],
  ])('are estimated of %s that is very long', (_name, text) => {
    const whole = countTokens(text);
    const counted = tokenCounterOf('text-embedding-3-small')(text);
    expect(Math.abs(counted - whole) / whole).toBeLessThan(0.1);
  });

  it('leave nothing of a text behind, which would slow down the texts of others', () => {
    tokenCounterOf('text-embedding-3-small')('qzvxkj jkxvzq');
    const encoding: unknown = encodings.get('cl100k_base');
    expect(encoding).toMatchObject({ bytePairEncodingCoreProcessor: { mergeCache: undefined } });
  });

  it('are counted of what looks like a sign of the model, too', () => {
    expect(tokenCounterOf('text-embedding-3-small')('a <|endoftext|> b')).toBeGreaterThan(3);
  });
});
