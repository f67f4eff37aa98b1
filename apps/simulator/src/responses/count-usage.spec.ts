import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callOf, completed, writtenText } from './answer.js';
import { countUsage } from './count-usage.js';
import { estimateTokens, firstTokens } from './estimate-tokens.js';
import { cutLastItem, limitOutput } from './limit-output.js';
import { parseResponsesRequest } from './responses-request.js';
import { splitDeltas } from './split-deltas.js';

const LONG = 'word '.repeat(2000);
const request = (input: unknown): ReturnType<typeof parseResponsesRequest> =>
  parseResponsesRequest({ model: 'sim-echo', input });

describe('tokens', () => {
  it.each([
    ['', 0],
    ['four', 1],
    ['fives', 2],
    ['日本語', 3],
    ['トマト 3ケース', 7],
  ])('in %j are estimated as %d', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('cut a text so that it is worth no more, and never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, tokens) => {
        const first = firstTokens(text, tokens);
        expect(estimateTokens(first)).toBeLessThanOrEqual(tokens);
        expect(text.startsWith(first)).toBe(true);
        expect(first.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('usage', () => {
  const answer = completed([
    { kind: 'reasoning', summary: [], thought: 'twelve chars' },
    { kind: 'text', text: 'eight ch' },
  ]);

  it('adds up and is the same for the same request', () => {
    const usage = countUsage(request('hello there'), answer);
    expect(usage).toEqual({
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 12,
    });
    expect(countUsage(request('hello there'), answer)).toEqual(usage);
  });

  it('counts a long beginning that was sent before as cached, in steps of 128', () => {
    const call = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'ok' };
    const first = countUsage(request([{ role: 'user', content: LONG }]), answer);
    const second = countUsage(request([{ role: 'user', content: LONG }, call, output]), answer);
    expect(first?.input_tokens_details.cached_tokens).toBe(0);
    expect(second?.input_tokens_details.cached_tokens).toBe(2432);
  });

  it('can be given, null, missing or wrong', () => {
    const given = countUsage(request('hi'), {
      ...answer,
      usage: { kind: 'given', usage: { inputTokens: 70, cachedTokens: 60 } },
    });
    expect(given).toMatchObject({
      input_tokens: 70,
      output_tokens: 5,
      total_tokens: 75,
      input_tokens_details: { cached_tokens: 60 },
    });
    expect(countUsage(request('hi'), { ...answer, usage: { kind: 'null' } })).toBeNull();
    expect(countUsage(request('hi'), { ...answer, usage: { kind: 'missing' } })).toBeUndefined();
    const wrong = countUsage(request('hi'), { ...answer, usage: { kind: 'inconsistent' } });
    expect(wrong?.input_tokens_details.cached_tokens).toBeGreaterThan(wrong?.input_tokens ?? 0);
    expect(wrong?.total_tokens).not.toBe((wrong?.input_tokens ?? 0) + (wrong?.output_tokens ?? 0));
  });
});

describe('max_output_tokens', () => {
  it('cuts the item in hand and leaves out the rest', () => {
    const whole = completed([
      { kind: 'text', text: 'x'.repeat(40) },
      { kind: 'text', text: 'y'.repeat(400) },
      callOf('f', '{}'),
    ]);
    const limited = limitOutput(whole, 16);
    expect(limited.end).toEqual({ status: 'incomplete', reason: 'max_output_tokens' });
    expect(limited.items).toEqual([
      { kind: 'text', text: 'x'.repeat(40) },
      { kind: 'text', text: 'y'.repeat(24), isCut: true },
    ]);
    expect(limitOutput(whole, null)).toBe(whole);
    expect(limitOutput(whole, 5000)).toBe(whole);
  });

  it('leaves half a call when a call is cut', () => {
    const [cut] = cutLastItem([callOf('f', '{"query":"roma tomatoes"}')]);
    expect(cut).toMatchObject({ kind: 'call', isCut: true });
    expect(cut === undefined ? '' : writtenText(cut)).toBe('f{"query"');
    expect(cutLastItem([])).toEqual([]);
  });
});

describe('deltas', () => {
  it('together are the text, are never empty and never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 10 }), (text, size) => {
        const deltas = splitDeltas(text, size);
        expect(deltas.join('')).toBe(text);
        expect(deltas.every((delta) => delta !== '')).toBe(true);
      }),
    );
    expect(splitDeltas('👍👍👍', 2)).toEqual(['👍👍', '👍']);
  });

  it('stay few for a megabyte', () => {
    expect(splitDeltas('x'.repeat(1024 * 1024), 6).length).toBeLessThanOrEqual(400);
  });
});
