import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
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

describe('cost of an execution', () => {
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
    expect(settlement.totalTokens?.total_tokens).toBe(7);
    expect(settlement.totalCostUsd).toBe('0.07');
    expect(settlement.metadata).toMatchObject({ total_tokens: 7, total_price: '0.07' });
  });

  it('says what its model was shown of the conversation, and nothing where nothing was said before', () => {
    const history = {
      fromTurn: 5,
      messages: 4,
      tokens: 80,
      isCut: false,
      summary: { version: 2, throughTurn: 4 },
    };
    const prepared = (more: object): JournalEntry => ({
      kind: 'execution_prepared',
      ...{ agent: { id: 1, version: 1 }, model: 'm', extra: {}, instruction: null, tools: [], ...more },
    });
    expect(spent([prepared({ history })]).metadata.history).toEqual({
      ...{ from_turn: 5, messages: 4, tokens: 80, is_cut: false },
      summary: { version: 2, through_turn: 4 },
    });
    expect(spent([prepared({})]).metadata).not.toHaveProperty('history');
  });

  it('says what was wrong with the tools of any of its agents, once, and nothing where nothing was', () => {
    const prepared = (warnings?: string[]): JournalEntry => ({
      ...{
        kind: 'execution_prepared',
        agent: { id: 1, version: 1 },
        model: 'm',
        extra: {},
        instruction: null,
      },
      tools: [],
      ...(warnings && { warnings }),
    });
    const inside = { ...prepared(['no token crm', 'slow']), scope: '1.0' };
    expect(spent([prepared(['no token crm']), inside, answered(1, 2)]).metadata).toMatchObject({
      total_tokens: 2,
      warnings: ['no token crm', 'slow'],
    });
    expect(spent([prepared(), answered(1, 2)]).metadata).not.toHaveProperty('warnings');
    const many = Array.from({ length: 60 }, (_, index) => `${index}`);
    expect(spent([prepared(many)]).metadata.warnings).toHaveLength(50);
  });

  it('marks abandoned, lost and unreported calls as unknown', () => {
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

const SETTLED: JournalEntry = {
  kind: 'tool_call_settled',
  round: 1,
  position: 0,
  outcome: {
    status: 'succeeded',
    output: 'ok',
    result: { status: 'success', result: {} },
    baked: { receiptId: 5 },
    staged: [{ kind: 'receipt.saved', data: { id: 5 } }],
  },
};
const AT_WORK: JournalEntry[] = [
  {
    kind: 'model_call_completed',
    round: 1,
    answer: aModelAnswer({ toolCalls: [aCall('save', 'c1')], usage: usage(1) }),
    latencyMs: 1,
  },
  SETTLED,
  answered(2, 2),
];

const counted = (count: number) => ({ truncated: false, tokens: { count, tokenizer: 'characters' } });

describe('messages of an execution for its conversation', () => {
  const context = anExecutionContext({
    input: 'and now?',
    additionalData: { receiptId: 4 },
    newSystemPrompt: 'Be brief.',
  });
  const settle = (outcome: Parameters<typeof buildSettlement>[3], given = context) =>
    buildSettlement(given, rulesOf({ costOf }), foldEntries(AT_WORK), outcome);

  it('is the system prompt, the input with its data, and the answer with what tools produced, in this order (S3-11, S3-12, S3-14, S3-16)', () => {
    const { messages } = settle({ status: 'completed', text: 'done' });
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.', data: {}, truncated: false, tokens: null },
      { role: 'user', content: 'and now?', data: { receiptId: 4 }, ...counted(8) },
      { role: 'assistant', content: 'done', data: { receiptId: 5 }, ...counted(4) },
    ]);
  });

  it.each([
    [100, 11, false],
    [100, 12, false],
    [101, 12, true],
  ])('is of %i tokens before it %j more, after which a summary is due: %j', (tokens, added, isDue) => {
    const budget = { messages: 10, tokens: 112 };
    const conversation = { held: { messages: 4, tokens }, budget, summaryModel: 'm' };
    const outcome = { status: 'completed', text: 'x'.repeat(added - 8) } as const;
    const { summary } = settle(outcome, { ...context, conversation });
    expect(summary).toEqual(isDue ? { model: 'm', budget } : null);
    expect(settle({ status: 'cancelled' }, { ...context, conversation }).summary).toBeNull();
  });

  it('is no second system prompt (S3-11)', () => {
    const { messages } = settle(
      { status: 'completed', text: 'done' },
      anExecutionContext({ newSystemPrompt: null }),
    );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('is the partial text where its time was up (S4-38)', () => {
    const settlement = settle({ status: 'incomplete', reason: 'timeout', text: 'half an ans' });
    expect(settlement).toMatchObject({ status: 'incomplete', incompleteReason: 'timeout', error: null });
    expect(settlement.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'half an ans' });
  });

  it.each([
    ['failed', { status: 'failed', error: { code: 'SDK_ERROR', message: 'no' } } as const],
    ['was cancelled', { status: 'cancelled' } as const],
  ])('is nothing where it %s: no message, no change of a domain (S3-33, S4-20, S4-40)', (_name, outcome) => {
    const settlement = settle(outcome);
    expect(settlement).toMatchObject({ status: outcome.status, messages: [], staged: [] });
    // The usage stays recorded.
    expect(settlement.usage.map(({ tokens }) => tokens?.total_tokens)).toEqual([1, 2]);
    expect(settlement.error).not.toBeNull();
  });
});

describe('the turns of an execution (S4-27)', () => {
  it('are the answers of its own model', () => {
    const opening = { agentId: 7, name: 'clerk', input: 'x' };
    const inside: JournalEntry[] = [
      { kind: 'scope_opened', scope: '1.0', ...opening },
      { ...answered(1, 4), scope: '1.0' },
    ];
    expect(spent([...AT_WORK.slice(0, 1), ...inside, SETTLED, answered(2, 2)]).turns).toBe(2);
  });
});

describe('the bill of an agent that another one calls (S4-33)', () => {
  it('is apart from its caller’s, by scope and by agent, and part of the sum', () => {
    const opening = { agentId: 7, name: 'clerk', input: 'x' };
    const cost = { prompt: '0.5', completion: '0.25' };
    const settlement = spent([
      ...AT_WORK.slice(0, 1),
      { kind: 'scope_opened', scope: '1.0', ...opening },
      { ...answered(1, 4), scope: '1.0', cost } as JournalEntry,
    ]);
    expect(
      settlement.usage.map(({ scope, agentId, tokens, costUsd }) => [
        scope,
        agentId,
        tokens?.total_tokens,
        costUsd,
      ]),
    ).toEqual([
      ['', null, 1, '0.01'],
      // Priced when the sub-agent's model was called.
      ['1.0', 7, 4, '0.75'],
    ]);
    expect(settlement.totalTokens?.total_tokens).toBe(5);
    expect(settlement.totalCostUsd).toBe('0.76');
  });
});
