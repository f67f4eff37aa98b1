import { describe, expect, it } from '@jest/globals';
import {
  ModelCallError,
  ModelHostUnavailableError,
  type ModelAnswer,
  type UsageRecord,
} from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { BY_CHARACTERS } from '../../../../test/support/builders/counted-model.js';
import { aStoredLlm } from '../../../../test/support/builders/stored-context.js';
import { SequenceModel } from '../../../../test/support/fakes/scripted-model.js';
import { NO_METER } from '../ports/execution-meter.js';
import type { StoredMessage } from '../ports/stored-context.js';
import type { ClaimedSummary, MessageRange, NewSummary } from '../ports/summary-store.js';
import { SummarizeSession } from './summarize-session.js';

const CLAIMED: ClaimedSummary = {
  ...{ sessionId: 's', token: 't', tenantId: 'default', agentId: 1, executionId: 'e' },
  ...{ version: 1, tryNumber: 1, previous: null, firstTurn: 1, fromTurn: 1 },
  budget: { messages: 100, tokens: 400 },
  ...{ model: 'small', llm: aStoredLlm({ model: 'large' }), isUsable: true, fallbacks: [] },
};

const turn = (turnNumber: number, length: number): StoredMessage[] =>
  (['user', 'assistant'] as const).map((role) => ({
    ...{ role, content: `${turnNumber}`.padEnd(length, 'x'), data: {}, turnNumber },
    tokens: { count: length, tokenizer: 'characters' },
  }));
const turns = (count: number, length: number): StoredMessage[] =>
  Array.from({ length: count }, (_none, index) => turn(index + 1, length)).flat();

interface Given {
  readonly claimed?: Partial<ClaimedSummary>;
  readonly messages?: readonly StoredMessage[];
  readonly answers?: (ModelAnswer | Error)[];
  readonly isHeld?: boolean;
  readonly unusable?: Error;
  readonly isOver?: AbortSignal;
}

/** Summarizes one conversation; claims are granted while a part is due. */
async function summarize({
  claimed,
  messages = turns(6, 40),
  answers = [],
  isHeld = true,
  unusable,
  isOver = new AbortController().signal,
}: Given) {
  const model = new SequenceModel(answers);
  const written: NewSummary[] = [];
  const usage: (UsageRecord | null)[] = [];
  const announced: UsageRecord[] = [];
  const asked: string[] = [];
  const reads: MessageRange[] = [];
  let putOff: number | null | undefined;
  let due: ClaimedSummary | null = { ...CLAIMED, ...claimed };
  await new SummarizeSession({
    summaries: {
      take: () => Promise.resolve([]),
      requeue: () => Promise.resolve(),
      claim: () => Promise.resolve(due),
      readMessages: (_claimed, range) => {
        reads.push(range);
        const { end, fromTurn, beforeTurn, limit } = range;
        const inside = messages.filter(
          ({ turnNumber }) => turnNumber >= fromTurn && turnNumber < (beforeTurn ?? Infinity),
        );
        return Promise.resolve(end === 'oldest' ? inside.slice(0, limit) : inside.slice(-limit));
      },
      announceCall: (_claimed, record) => {
        announced.push(record);
        return Promise.resolve(isHeld);
      },
      complete: (of, made, record) => {
        written.push(made);
        usage.push(record);
        const { throughTurn, isMore, content } = made;
        due = isMore
          ? { ...of, version: of.version + 1, tryNumber: 1, fromTurn: throughTurn + 1, previous: content }
          : null;
        return Promise.resolve(true);
      },
      putOff: (of, record, delayMs) => {
        usage.push(record);
        putOff = delayMs;
        due = delayMs === 0 ? { ...CLAIMED, ...claimed, tryNumber: of.tryNumber + 1 } : null;
        return Promise.resolve();
      },
    },
    models: {
      of: (llm) => {
        if (unusable) throw unusable;
        asked.push(llm.model);
        return {
          ...{ model, maxRetries: 0, prices: null, costOf: () => '0.5' },
          ...BY_CHARACTERS,
          parameters: { names: [], findFaults: () => [] } as never,
        };
      },
    },
    messageData: { shownToModel: () => ({}) },
    newToken: () => 't',
    signalAfter: () => isOver,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    meter: NO_METER,
  }).execute('s');
  return { model, written, usage, announced, asked, reads, putOff };
}

const FAILED = new ModelCallError({ reason: 'overloaded', message: 'busy', retryable: true });
const said = (text: string) => aModelAnswer({ text });

describe('the summary of a conversation whose model cannot be reached', () => {
  const fallbacks = [aStoredLlm({ model: 'another' })];
  it.each([
    ['fails in its second try', FAILED, 2],
    ['has a host that is not asked', new ModelHostUnavailableError(1_000), 1],
  ])('is asked of the fallback at once where it %s', async (_name, first, tryNumber) => {
    const answers = [first, said('They met.')];
    const claimed = { fallbacks, tryNumber };
    const { written, model, announced, usage } = await summarize({ answers, claimed });
    expect(written).toMatchObject([{ content: 'They met.' }]);
    expect(model.requests.map((request) => request.model)).toEqual(['small', 'another']);
    expect(announced.map((record) => [record.model, record.tryNumber])).toEqual([
      ['small', tryNumber],
      ['another', tryNumber + 1],
    ]);
    expect(usage.map((record) => record?.state)).toEqual(['failed', 'known']);
  });

  it('is asked of it again, later, where it fails in its first try', async () => {
    const { model, putOff } = await summarize({ answers: [FAILED], claimed: { fallbacks } });
    expect([model.requests.length, putOff]).toEqual([1, 5_000]);
  });

  it('is put off as without one where the fallback fails, too', async () => {
    const claimed = { fallbacks, tryNumber: 2 };
    const { model, putOff } = await summarize({ answers: [FAILED, FAILED], claimed });
    expect([model.requests.length, putOff]).toEqual([2, 80_000]);
  });

  it('is asked of no other where it refuses the request', async () => {
    const refused = new ModelCallError({ reason: 'invalid_request', message: 'bad', retryable: false });
    const { model, putOff } = await summarize({ answers: [refused], claimed: { fallbacks } });
    expect([model.requests.length, putOff]).toEqual([1, 5_000]);
  });
});

describe('the summary of a conversation', () => {
  it('takes the place of the oldest turns, so that half of the budget stays', async () => {
    const { written, model, announced, usage, asked } = await summarize({ answers: [said('They met.')] });
    expect(written).toEqual([{ content: 'They met.', tokens: 9, throughTurn: 4, isMore: false }]);
    const prompt = model.requests[0]?.messages.at(-1)?.content ?? '';
    expect(prompt.match(/^\d/gm)).toEqual(['1', '1', '2', '2', '3', '3', '4', '4']);
    expect(model.requests[0]).toMatchObject({ model: 'small', tools: [] });
    expect(asked).toEqual(['small', 'large']);
    expect(announced).toMatchObject([
      { purpose: 'summary', round: 1, tryNumber: 1, state: 'unknown', model: 'small' },
    ]);
    expect(usage).toMatchObject([{ state: 'known', costUsd: '0.5', tokens: { total_tokens: 15 } }]);
  });

  it('is made of the one before and what has left since', async () => {
    const given = { version: 3, fromTurn: 2, previous: 'They met.' };
    const { model } = await summarize({
      claimed: given,
      messages: turns(8, 40),
      answers: [said('They met again.')],
    });
    expect(model.requests[0]?.messages.at(-1)?.content).toMatch(
      /^<record>\nThey met\.\n<\/record>\n<user>\n2x/,
    );
  });

  it('is made in parts that a model can read, one version for each', async () => {
    const { written, model, reads, putOff } = await summarize({
      messages: turns(40, 40),
      answers: Array.from({ length: 20 }, (_none, index) => said(`part ${index}`)),
    });
    expect(written.map(({ throughTurn }) => throughTurn)).toEqual([12, 24, 36]);
    // The remaining messages fit the budget.
    expect([model.requests.length, putOff]).toEqual([3, null]);
    expect(Math.max(...reads.map(({ limit }) => limit))).toBe(110);
  });

  it('takes in a thousand tokens at once also where its budget is nothing', async () => {
    const budget = { messages: 100, tokens: 0 };
    const answers = [said('a'), said('b')];
    const { written } = await summarize({ claimed: { budget }, messages: turns(20, 40), answers });
    expect(written.map(({ throughTurn, isMore }) => [throughTurn, isMore])).toEqual([
      [12, true],
      [20, false],
    ]);
  });

  it('is not written within the budget', async () => {
    const { model, putOff } = await summarize({ messages: turns(5, 40) });
    expect([model.requests, putOff]).toEqual([[], null]);
  });

  it.each<[string, Given]>([
    ['its agent may not be used', { claimed: { isUsable: false } }],
    ['its model configuration is gone', { claimed: { llm: null } }],
    ['all tries were lost with their workers', { claimed: { tryNumber: 6 } }],
    [
      'its model configuration cannot be used',
      { unusable: new AppError({ code: 'VALIDATION_ERROR', kind: 'invalid_input', message: 'no key' }) },
    ],
  ])('is given up where %s, and no model is asked', async (_name, given) => {
    const { model, putOff, announced } = await summarize(given);
    expect([model.requests, announced, putOff]).toEqual([[], [], null]);
  });

  it('calls no model once another worker has claimed the task', async () => {
    const { model, written, putOff } = await summarize({ isHeld: false, answers: [said('x')] });
    expect([model.requests, written, putOff]).toEqual([[], [], undefined]);
  });

  it.each<[string, ModelAnswer | Error, string]>([
    ['fails', FAILED, 'failed'],
    ['cannot be reached', new ModelHostUnavailableError(1_000), 'failed'],
    ['answers nothing', said(' <think>hm</think> '), 'known'],
    ['was cut off', aModelAnswer({ text: 'They', incompleteReason: 'max_output_tokens' }), 'known'],
    ['answers more than a summary may have', said('x'.repeat(101)), 'known'],
  ])('is put off where the model %s, and changes nothing', async (_name, answer, state) => {
    const { written, putOff, usage } = await summarize({ answers: [answer] });
    expect([written, putOff]).toEqual([[], 5_000]);
    expect(usage).toMatchObject([{ state, tryNumber: 1 }]);
  });

  it.each([
    [1, 5_000],
    [2, 20_000],
    [4, 320_000],
    [5, null],
  ])('waits after try %i for %j ms, and for ever after the last', async (tryNumber, delayMs) => {
    expect((await summarize({ claimed: { tryNumber }, answers: [FAILED] })).putOff).toBe(delayMs);
  });

  it('is retried later after a timeout, with unknown cost', async () => {
    const isOver = AbortSignal.abort();
    const { written, putOff, usage } = await summarize({ isOver, answers: [FAILED] });
    expect([written, putOff, usage]).toEqual([[], 5_000, [null]]);
  });

  it('leaves an unexpected error to the next try', async () => {
    await expect(summarize({ answers: [new Error('a bug')] })).rejects.toThrow('a bug');
  });
});
