import { describe, expect, it } from '@jest/globals';
import { NO_TOKENS, type TokenUsage } from '#libs/payloads';
import {
  measureRound,
  NO_METADATA,
  sumRounds,
  UNKNOWN_METADATA,
  type MeasuredCall,
} from './execution-metadata.js';

const prices = { currency: 'USD', promptUnitPrice: '1.25', completionUnitPrice: '10', priceUnit: '0.000001' };

/** 0.1 per input token, cached or not, and 0.2 per output token: easy to read, inexact in floating point. */
const costOf = ({ input_tokens, output_tokens }: TokenUsage): string => {
  const dimes = String(input_tokens + 2 * output_tokens).padStart(2, '0');
  return `${dimes.slice(0, -1)}.${dimes.slice(-1)}`;
};

const measure = (overrides: Partial<MeasuredCall> = {}, tokens: Partial<TokenUsage> = {}) =>
  measureRound({
    tokens: { ...NO_TOKENS, input_tokens: 1, output_tokens: 2, total_tokens: 3, ...tokens },
    latencyMs: 1_500,
    costOf,
    prices,
    ...overrides,
  });

describe('measureRound', () => {
  it('fills the twelve fields, and counts cached input and reasoning once (S0-15, 3.E-8)', () => {
    expect(measure({}, { cached_input_tokens: 1, reasoning_tokens: 2 })).toEqual({
      total_price: '0.5',
      currency: 'USD',
      total_tokens: 3,
      prompt_tokens: 1,
      prompt_unit_price: '1.25',
      prompt_price_unit: '0.000001',
      prompt_price: '0.1',
      completion_tokens: 2,
      completion_unit_price: '10',
      completion_price_unit: '0.000001',
      completion_price: '0.4',
      latency: 1.5,
    });
  });

  it('asks for the price of the prompt, with cached input, and of the whole, of which the completion is the rest', () => {
    const asked: TokenUsage[] = [];
    const tokens = { cached_input_tokens: 1, reasoning_tokens: 2 };
    const whole = { ...tokens, input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    measure({ costOf: (part) => (asked.push(part), '0') }, tokens);
    expect(asked).toEqual([
      { ...NO_TOKENS, input_tokens: 1, cached_input_tokens: 1, total_tokens: 1 },
      { ...NO_TOKENS, ...whole },
    ]);
  });

  it('omits unknown costs', () => {
    expect(measure({ costOf: () => null, prices: null })).toEqual({
      ...NO_METADATA,
      total_tokens: 3,
      prompt_tokens: 1,
      completion_tokens: 2,
      latency: 1.5,
      // An unknown price is null, not zero.
      total_price: null,
      prompt_unit_price: null,
      prompt_price_unit: null,
      prompt_price: null,
      completion_unit_price: null,
      completion_price_unit: null,
      completion_price: null,
    });
  });
});

describe('sumRounds', () => {
  it.each([[[null]], [[null, null]]])(
    'knows neither tokens nor money where no provider has said: %j',
    (rounds) => {
      expect(sumRounds(rounds)).toEqual(UNKNOWN_METADATA);
      expect(new Set(Object.values<unknown>({ ...UNKNOWN_METADATA, latency: null, currency: null }))).toEqual(
        new Set([null]),
      );
      expect(Object.keys(UNKNOWN_METADATA)).toEqual(Object.keys(NO_METADATA));
    },
  );

  it('is all zero where no model was asked (S0-15, 3.E-8)', () => {
    expect(sumRounds([])).toEqual(NO_METADATA);
    expect(
      Object.values<unknown>({ ...NO_METADATA }).filter(
        (value) => value !== '0' && value !== 0 && value !== '',
      ),
    ).toEqual([]);
    expect(Object.keys(NO_METADATA)).toHaveLength(12);
  });

  it('sums tokens and prices exactly, and keeps the rest of the first round with usage (3.E-8)', () => {
    const other = { currency: 'EUR', promptUnitPrice: '9', completionUnitPrice: '9', priceUnit: '1' };
    const second = measure(
      { latencyMs: 9_000, prices: other },
      { input_tokens: 2, output_tokens: 0, total_tokens: 2 },
    );
    expect(sumRounds([null, measure(), null, second])).toEqual({
      ...measure(),
      total_price: '0.7',
      total_tokens: 5,
      prompt_tokens: 3,
      prompt_price: '0.3',
      completion_tokens: 2,
      completion_price: '0.4',
    });
  });

  it('stays unknown where no price is known, and sums what is', () => {
    const unknown = measure({ costOf: () => null, prices: null });
    expect(sumRounds([unknown, unknown])).toMatchObject({ total_price: null, total_tokens: 6 });
    expect(sumRounds([unknown, measure()])).toMatchObject({ total_price: '0.5', prompt_price: '0.1' });
  });

  it('does not drift over a thousand rounds', () => {
    const rounds = Array.from({ length: 1_000 }, () => measure());
    expect(sumRounds(rounds)).toMatchObject({ total_price: '500', prompt_price: '100', total_tokens: 3_000 });
  });
});
