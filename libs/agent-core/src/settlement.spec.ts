import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { rulesOf } from '../../../test/support/fakes/loop-world.js';
import type { TokenUsage } from '#libs/payloads';
import { foldEntries } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import { buildFailedSettlement, buildSettlement } from './settlement.js';

const usage = (tokens: number): TokenUsage => ({
  input_tokens: tokens,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: tokens,
});
const costOf = (tokens: TokenUsage | null): string | null =>
  tokens === null ? null : `0.0${tokens.total_tokens}`;

const failed = (round: number, tokens?: number): JournalEntry => ({
  kind: 'model_call_failed',
  round,
  error: { code: 'SDK_ERROR', message: 'x' },
  retryable: true,
  retryAfterMs: null,
  model: 'm',
  ...(tokens !== undefined && { spent: { responseId: `lost_${tokens}`, model: 'm', usage: usage(tokens) } }),
});
const answered = (round: number, tokens: number | null): JournalEntry => ({
  kind: 'model_call_completed',
  round,
  answer: aModelAnswer({ usage: tokens === null ? null : usage(tokens) }),
  latencyMs: 1,
});

const spent = (entries: JournalEntry[], pricing: Partial<ReturnType<typeof rulesOf>> = { costOf }) =>
  buildFailedSettlement(rulesOf(pricing), foldEntries(entries), { code: 'X', message: 'x' });

describe('what an execution has cost', () => {
  it('holds a row for each call in their order, and sums what is known of them (S4-17)', () => {
    const settlement = spent([failed(1, 1), failed(1), answered(1, 2), failed(2, 4)]);
    expect(
      settlement.usage.map(({ round, tryNumber, state, tokens }) => [
        `${round}.${tryNumber}`,
        state,
        tokens?.total_tokens,
      ]),
    ).toEqual([
      ['1.1', 'failed', 1],
      ['1.2', 'failed', undefined],
      ['1.3', 'known', 2],
      ['2.1', 'failed', 4],
    ]);
    expect(settlement.totalTokens.total_tokens).toBe(7);
    expect(settlement.totalCostUsd).toBe('0.07');
    expect(settlement.metadata).toMatchObject({ total_tokens: 7, total_price: '0.07' });
  });

  it('says of calls that were given up, lost or not reported that nobody knows', () => {
    const { usage } = spent([
      { kind: 'model_call_lost', round: 1, model: 'm' },
      { kind: 'model_call_interrupted', round: 1, text: 'half', model: 'm' },
      answered(1, null),
    ]);
    expect(usage.map(({ tryNumber, state, tokens, costUsd }) => [tryNumber, state, tokens, costUsd])).toEqual(
      [
        [1, 'unknown', null, null],
        [2, 'unknown', null, null],
        [3, 'unknown', null, null],
      ],
    );
  });

  it.each<[string, JournalEntry[], Partial<ReturnType<typeof rulesOf>>, string | null]>([
    ['nothing when nothing was called', [], {}, '0'],
    ['unknown when no price is known', [answered(1, 5)], {}, null],
    ['nothing when no call was answered', [failed(1)], { costOf }, '0'],
    [
      'unknown when its worker was lost',
      [{ kind: 'model_call_lost', round: 1, model: 'm' }],
      { costOf },
      null,
    ],
    ['unknown when no usage was reported', [answered(1, null)], { costOf }, null],
    ['what is known of it', [answered(1, null), answered(2, 5)], { costOf }, '0.05'],
  ])('is %s', (_case, entries, pricing, expected) =>
    expect(spent(entries, pricing).totalCostUsd).toBe(expected),
  );

  it('is the same however the execution ended', () => {
    const state = foldEntries([failed(1, 1), answered(1, 2)]);
    const outcome = { status: 'completed', text: 'done' } as const;
    const { usage: rows } = buildSettlement(anExecutionContext(), rulesOf({ costOf }), state, outcome);
    expect(rows).toEqual(spent([failed(1, 1), answered(1, 2)]).usage);
  });
});
