import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costOf } from './cost.js';

const usage = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_tokens: 0,
  total_tokens: input + output,
});
const pricing = (input: string, cached: string, output: string) => ({
  currency: 'USD',
  input,
  cached_input: cached,
  output,
  as_of: '2026-05-13',
});

describe('costOf', () => {
  it.each([
    [usage(1_000_000, 0, 1_000_000), pricing('1.25', '0.125', '10'), '11.25'],
    [usage(1_000, 600, 20), pricing('1.25', '0.125', '10'), '0.000775'],
    [usage(1, 0, 0), pricing('0.05', '0.005', '0.4'), '0.00000005'],
    [usage(3, 3, 0), pricing('1', '0.1', '0'), '0.0000003'],
    [usage(0, 0, 0), pricing('1', '1', '1'), '0'],
    [usage(5, 0, 5), pricing('0', '0', '0'), '0'],
    [usage(1, 0, 0), pricing('0.000000000001', '0', '0'), '0.000000000000000001'],
    [usage(123_456_789_012, 0, 0), pricing('999999999', '0', '0'), '123456788888543.210988'],
  ])('S1-36: %j at %j costs %j', (tokens, prices, expected) => expect(costOf(tokens, prices)).toBe(expected));

  it('S1-36: does not guess a cost without usage', () =>
    expect(costOf(null, pricing('1', '1', '1'))).toBeNull());

  it('prices what is written into a cache by how long it lasts', () => {
    const tokens = { ...usage(100, 10, 0), cache_creation_5m_tokens: 20, cache_creation_1h_tokens: 30 };
    const prices = { ...pricing('1', '0.1', '0'), cache_write_5m: '1.25', cache_write_1h: '2' };
    // 40 × 1 + 10 × 0.1 + 20 × 1.25 + 30 × 2
    expect(costOf(tokens, prices)).toBe('0.000126');
    // Without a price for cache writes, they cost as much as other input: 90 × 1 + 10 × 0.1.
    expect(costOf(tokens, pricing('1', '0.1', '0'))).toBe('0.000091');
  });

  it.each([
    [100_000, '0.01'],
    [100_001, '0.0500005'],
  ])('prices a call whose prompt has %d tokens by the length of the prompt', (input, expected) => {
    const prices = {
      ...pricing('0.1', '0.01', '0.5'),
      long_prompt: { above_tokens: 100_000, input: '0.5', cached_input: '0.05', output: '2.5' },
    };
    expect(costOf(usage(input, 0, 0), prices)).toBe(expected);
    const cached = { ...usage(input, input - 20, 0), cache_creation_5m_tokens: 20 };
    expect(
      costOf(cached, { ...prices, long_prompt: { ...prices.long_prompt, cached_input: '0', input: '0' } }),
    ).toBe(input > 100_000 ? '0' : '0.0010018');
  });

  it('adds up without drift: the cost of a sum is the sum of the costs', () => {
    const tokens = fc.nat(2_000_000_000);
    fc.assert(
      fc.property(tokens, tokens, fc.nat(999_999), (a, b, micro) => {
        const prices = pricing(`0.${String(micro).padStart(6, '0')}`, '0', '1.1');
        const sum = scaled(costOf(usage(a, 0, b), prices)) + scaled(costOf(usage(b, 0, a), prices));
        expect(sum).toBe(scaled(costOf(usage(a + b, 0, a + b), prices)));
      }),
    );
  });
});

function scaled(decimal: string | null): bigint {
  const [whole = '', fraction = ''] = (decimal ?? '').split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}
