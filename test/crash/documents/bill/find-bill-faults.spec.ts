import { describe, expect, it } from '@jest/globals';
import { findBillFaults, type ServedCall, type UsageRow } from './find-bill-faults.js';

const vectors = (tokens: number | null): ServedCall => ({
  endpoint: 'embeddings',
  usage: tokens === null ? null : { total_tokens: tokens },
});
const texts = (tokens: number): ServedCall => ({ endpoint: 'responses', usage: { total_tokens: tokens } });
const row = (tokens: number | null, purpose = 'embedding'): UsageRow => ({
  ...{ purpose, total_tokens: tokens },
  state: tokens === null ? 'unknown' : 'known',
});

describe('accounts of calls', () => {
  it.each<[string, ServedCall[], UsageRow[]]>([
    ['say what the server says', [vectors(3), vectors(3), texts(5)], [row(3), row(3), row(5, 'summary')]],
    ['call the usage of a lost answer unknown', [vectors(3), vectors(4)], [row(4), row(null)]],
    ['may hold a call that was never sent', [vectors(3)], [row(3), row(null), row(null)]],
    [
      'need no tokens for what was not answered',
      [vectors(null)],
      [{ purpose: 'embedding', state: 'failed', total_tokens: null }],
    ],
  ])('are right where they %s', (_what, calls, rows) => {
    expect(findBillFaults(calls, rows)).toEqual([]);
  });

  it.each<[string, ServedCall[], UsageRow[], RegExp]>([
    ['a call has no row', [vectors(3), vectors(4)], [row(4)], /^1 answers with vectors, of 3 tokens/],
    ['a row stands for two calls', [vectors(3), vectors(3)], [row(3)], /^1 answers with vectors/],
    ['a row has other tokens', [texts(3)], [row(4, 'memory')], /a row of 4 tokens for texts/],
    ['a call stands there twice', [vectors(3)], [row(3), row(3)], /a row of 3 tokens for vectors/],
    ['a text stands there as a vector', [texts(3)], [row(3)], /a row of 3 tokens for vectors/],
    [
      'an answered call is recorded as a failure',
      [vectors(3)],
      [{ purpose: 'embedding', state: 'failed', total_tokens: null }],
      /^1 answers with vectors/,
    ],
  ])('are wrong where %s', (_what, calls, rows, fault) => {
    expect(findBillFaults(calls, rows).join('; ')).toMatch(fault);
  });
});
