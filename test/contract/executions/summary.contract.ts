import { beforeEach, expect, it } from '@jest/globals';
import type { UsageRecord } from '#libs/agent-core';
import { NO_RETRY, type ClaimedSummary, type NewSummary } from '#libs/executions';
import { v7 as uuid } from 'uuid';
import { ExecutionSteps, type Accepted } from './execution-steps.js';
import type { StoredExecutionsBackend } from './executions-backend.js';

const BUDGET = { messages: 10, tokens: 100 };
const ORDER = { model: 'small', budget: BUDGET };
const LEASE_MS = 60_000;
const NOW = { limit: 10, redispatchAfterMs: 60_000 };

const said = (role: 'system' | 'user' | 'assistant', content: string) => ({
  ...{ role, content, data: {}, truncated: false },
  tokens: { count: content.length, tokenizer: 'characters' },
});

/** Contract of `SummaryStore` that every backend keeps: orders for summaries, and the summaries themselves. */
export function describeSummaries(start: () => Promise<StoredExecutionsBackend>): void {
  let backend: StoredExecutionsBackend;
  let steps: ExecutionSteps;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
    await backend.changeAgent({ systemPrompt: 's' });
  });

  const turn = (sessionId?: string, summary: typeof ORDER | null = null): Promise<Accepted> => {
    const system = sessionId === undefined ? [said('system', 's')] : [];
    const messages = [...system, said('user', 'u'), said('assistant', 'a')];
    return steps.complete(sessionId === undefined ? {} : { sessionId }, { messages, summary });
  };
  /** Runs a session of `turns` turns; the last turn orders a summary. */
  const ordered = async (turns = 4): Promise<Accepted> => {
    let last = await turn(undefined, turns === 1 ? ORDER : null);
    for (let number = 2; number <= turns; number += 1)
      last = await turn(last.sessionId, number === turns ? ORDER : null);
    return last;
  };
  const claim = async (sessionId: string): Promise<ClaimedSummary> => {
    const claimed = await backend.summaries.claim(sessionId, uuid(), LEASE_MS);
    if (claimed === null) throw new Error('nothing is due');
    return claimed;
  };
  const unknown = ({ version, tryNumber, model }: ClaimedSummary): UsageRecord => ({
    ...{ scope: '', purpose: 'summary', round: version, tryNumber, agentId: null, model },
    ...{ state: 'unknown', responseId: null, tokens: null, costUsd: null },
  });
  const known = (claimed: ClaimedSummary): UsageRecord => ({
    ...unknown(claimed),
    state: 'known',
    costUsd: '0.5',
  });
  const made = (throughTurn: number, isMore = false): NewSummary => ({
    ...{ content: `through ${throughTurn}`, tokens: 9, throughTurn, isMore },
  });
  const summarize = async (sessionId: string, throughTurn: number, isMore = false): Promise<boolean> => {
    const claimed = await claim(sessionId);
    await backend.summaries.announceCall(claimed, unknown(claimed));
    return backend.summaries.complete(claimed, made(throughTurn, isMore), known(claimed));
  };
  const contextOf = async (accepted: Accepted) =>
    backend.contexts.load(await steps.claim(accepted), NO_RETRY);
  const shown = async (sessionId: string) => {
    const context = await contextOf(await steps.accept({ sessionId }));
    return [
      context?.summary?.content,
      context?.messages.map(({ role, turnNumber }) => `${role} ${turnNumber}`),
    ];
  };

  it('an order is due with the end of the turn that wrote it, and is sent once', async () => {
    const { sessionId } = await ordered();
    await turn();
    expect(await backend.summaries.take(NOW)).toEqual([{ sessionId }]);
    expect(await backend.summaries.take(NOW)).toEqual([]);
    await backend.summaries.requeue([{ sessionId }]);
    expect(await backend.summaries.take(NOW)).toEqual([{ sessionId }]);
  });

  it('says what is to be summarised, by whom, and whose usage it is', async () => {
    const { id, sessionId } = await ordered();
    expect(await claim(sessionId)).toMatchObject({
      ...{
        sessionId,
        tenantId: 'default',
        agentId: 1,
        executionId: id,
        version: 1,
        tryNumber: 1,
        previous: null,
      },
      ...{
        firstTurn: 1,
        fromTurn: 1,
        budget: BUDGET,
        model: 'small',
        isUsable: true,
        llm: { isActive: true },
      },
    });
  });

  it('is not to be carried out by an agent that may not be used any more', async () => {
    const { sessionId } = await ordered();
    await backend.changeAgent({ isActive: false });
    expect(await claim(sessionId)).toMatchObject({ isUsable: false });
  });

  it('is in the hands of one, until it was silent for too long; what was tried counts', async () => {
    const { sessionId } = await ordered();
    const first = await claim(sessionId);
    expect(await backend.summaries.claim(sessionId, uuid(), LEASE_MS)).toBeNull();
    expect(await backend.summaries.take(NOW)).toEqual([]);
    await backend.makeSummaryDue(sessionId);
    const second = await claim(sessionId);
    expect(second).toMatchObject({ tryNumber: 2, version: 1 });
    expect(await backend.summaries.announceCall(first, unknown(first))).toBe(false);
    expect(await backend.summaries.complete(first, made(2), known(first))).toBe(false);
    expect(await shown(sessionId)).toMatchObject([undefined, { length: 9 }]);
  });

  it('records a call before it is made, and its result afterwards, for any holder of the task', async () => {
    const { id, sessionId } = await ordered();
    const first = await claim(sessionId);
    expect(await backend.summaries.announceCall(first, unknown(first))).toBe(true);
    expect(await backend.summaryUsage(id)).toEqual(['1.1 unknown']);
    await backend.makeSummaryDue(sessionId);
    const second = await claim(sessionId);
    await backend.summaries.announceCall(second, unknown(second));
    expect(await backend.summaryUsage(id)).toEqual(['1.1 unknown', '1.2 unknown']);
    await backend.summaries.complete(first, made(2), known(first));
    await backend.summaries.complete(second, made(2), known(second));
    expect(await backend.summaryUsage(id)).toEqual(['1.1 known', '1.2 known']);
  });

  it('a summary takes the place of the turns that it stands for, and of the one before', async () => {
    const { sessionId } = await ordered();
    expect(await summarize(sessionId, 2)).toBe(true);
    const rest = ['system 1', 'user 3', 'assistant 3', 'user 4', 'assistant 4'];
    const running = await steps.accept({ sessionId });
    const context = await contextOf(running);
    expect(context?.summary).toEqual({ version: 1, throughTurn: 2, content: 'through 2' });
    expect(context?.messages.map(({ role, turnNumber }) => `${role} ${turnNumber}`)).toEqual(rest);
    expect(await backend.summaries.claim(sessionId, uuid(), LEASE_MS)).toBeNull();
  });

  it('goes on where more is to leave, with the tries of the next version', async () => {
    const { sessionId } = await ordered();
    await summarize(sessionId, 1, true);
    const next = await claim(sessionId);
    expect(next).toMatchObject({ version: 2, tryNumber: 1, fromTurn: 2, previous: 'through 1' });
    await backend.summaries.complete(next, made(3), known(next));
    expect(await shown(sessionId)).toEqual(['through 3', ['system 1', 'user 4', 'assistant 4']]);
  });

  it('a postponed summary changes nothing, and is retried later', async () => {
    const { id, sessionId } = await ordered();
    const claimed = await claim(sessionId);
    await backend.summaries.announceCall(claimed, unknown(claimed));
    const failed = { ...unknown(claimed), state: 'failed' } as const;
    await backend.summaries.putOff(claimed, failed, 60_000);
    expect(await backend.summaries.take(NOW)).toEqual([]);
    expect(await backend.summaries.claim(sessionId, uuid(), LEASE_MS)).toBeNull();
    await backend.makeSummaryDue(sessionId);
    expect(await claim(sessionId)).toMatchObject({ tryNumber: 2, previous: null });
    expect(await backend.summaryUsage(id)).toEqual(['1.1 failed']);
  });

  it('an abandoned summary is ordered again by the next turn over the budget', async () => {
    const { sessionId } = await ordered();
    await backend.summaries.putOff(await claim(sessionId), null, null);
    expect(await backend.summaries.take(NOW)).toEqual([]);
    expect(await backend.summaries.claim(sessionId, uuid(), LEASE_MS)).toBeNull();
    await turn(sessionId, ORDER);
    expect(await claim(sessionId)).toMatchObject({ tryNumber: 1 });
  });

  it('stands for nothing after a reset, nor does one that was on its way', async () => {
    const { sessionId } = await ordered();
    await summarize(sessionId, 2);
    await turn(sessionId, ORDER);
    const late = await claim(sessionId);
    await backend.reset(sessionId);
    expect(await backend.summaries.complete(late, made(4), known(late))).toBe(false);
    expect(await shown(sessionId)).toEqual([undefined, ['system 1']]);
  });

  it('a later attempt reads the same summary as the first one, also after newer summaries', async () => {
    const { sessionId } = await ordered();
    const running = await steps.accept({ sessionId });
    const first = await steps.claim(running);
    const history = { fromTurn: 2, messages: 6, tokens: 6, isCut: true, summary: null };
    const preparation = {
      agent: { id: 1, version: 1 },
      model: 'm',
      extra: {},
      instruction: 'i',
      tools: [],
      history,
    };
    await steps.append(first, { kind: 'execution_prepared', ...preparation });
    await summarize(sessionId, 3);
    await backend.claims.release(first);
    const context = await contextOf(running);
    expect(context?.summary).toBeNull();
    expect(context?.preparation?.history).toEqual(history);
    expect(context?.messages.map(({ turnNumber }) => turnNumber)).toEqual([1, 2, 2, 3, 3, 4, 4]);
  });

  it('an attempt that an older release has prepared is shown everything', async () => {
    const { sessionId } = await ordered();
    const running = await steps.accept({ sessionId });
    const first = await steps.claim(running);
    const preparation = { agent: { id: 1, version: 1 }, model: 'm', extra: {}, instruction: 'i', tools: [] };
    await steps.append(first, { kind: 'execution_prepared', ...preparation });
    await summarize(sessionId, 3);
    await backend.claims.release(first);
    expect((await contextOf(running))?.messages).toHaveLength(9);
  });

  it('messages are read from either end, so many and no more, without the system prompt', async () => {
    const { sessionId } = await ordered();
    const claimed = await claim(sessionId);
    const read = async (end: 'oldest' | 'newest', limit: number, beforeTurn: number | null = null) => {
      const range = { end, fromTurn: 2, beforeTurn, limit };
      const messages = await backend.summaries.readMessages(claimed, range);
      return messages.map(
        ({ role, turnNumber, tokens }) => `${role} ${turnNumber} ${tokens?.count ?? 'uncounted'}`,
      );
    };
    expect(await read('oldest', 3)).toEqual(['user 2 1', 'assistant 2 1', 'user 3 1']);
    expect(await read('newest', 3)).toEqual(['assistant 3 1', 'user 4 1', 'assistant 4 1']);
    expect(await read('newest', 9, 3)).toEqual(['user 2 1', 'assistant 2 1']);
  });
}
