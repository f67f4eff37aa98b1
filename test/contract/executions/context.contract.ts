import { beforeEach, expect, it } from '@jest/globals';
import type { Preparation } from '#libs/agent-core';
import { NO_RETRY, type AgentVersionKey, type StoredContext } from '#libs/executions';
import { v7 as uuid } from 'uuid';
import { ExecutionSteps, type Accepted } from './execution-steps.js';
import type { StoredExecutionsBackend } from './executions-backend.js';

const said = (role: 'system' | 'user' | 'assistant', content: string) => ({
  ...{ role, content, data: {} },
  truncated: false,
  tokens: { count: content.length, tokenizer: 'characters' },
});

/** Contract of `ContextStore` that every backend keeps: the agent and the conversation as an attempt reads them. */
export function describeContexts(start: () => Promise<StoredExecutionsBackend>): void {
  let backend: StoredExecutionsBackend;
  let steps: ExecutionSteps;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
    await backend.changeAgent({ systemPrompt: 'as before' });
  });

  const load = async (accepted: Accepted): Promise<StoredContext | null> =>
    backend.contexts.load(await steps.claim(accepted), NO_RETRY);
  const contentsOf = (context: StoredContext | null) => context?.messages.map(({ content }) => content);
  const findAgent = (key: Partial<AgentVersionKey> = {}) =>
    backend.contexts.loadAgent(
      { tenantId: 'default', agentId: 1, version: null, executorId: null, ...key },
      NO_RETRY,
    );

  it('gives an execution the version of the agent that it was accepted with, and says whether it may be used now', async () => {
    const accepted = await steps.accept();
    const version = (await backend.executions.find('default', accepted.id))?.agent_version ?? NaN;
    await backend.changeAgent({ systemPrompt: 'changed' });
    const claim = await steps.claim(accepted);
    const context = await backend.contexts.load(claim, NO_RETRY);
    expect(context).toMatchObject({ systemPrompt: 'as before', agentVersion: version, agentIsActive: true });
    expect(context).toMatchObject({ tenant: { isActive: true }, preparation: null, messages: [] });
    await backend.changeAgent({ isActive: false });
    expect(await backend.contexts.load(claim, NO_RETRY)).toMatchObject({
      ...{ systemPrompt: 'as before', agentIsActive: false },
    });
  });

  it('finds the newest version of an agent or the one that is asked for, and none of another tenant', async () => {
    const before = await findAgent();
    const version = before?.agentVersion ?? NaN;
    await backend.changeAgent({ systemPrompt: 'changed' });
    expect(await findAgent()).toMatchObject({ systemPrompt: 'changed', agentVersion: version + 1 });
    expect(await findAgent({ version })).toEqual(before);
    expect(await findAgent({ version: version + 2 })).toBeNull();
    expect(await findAgent({ tenantId: 'other' })).toBeNull();
    expect(await findAgent({ agentId: 999 })).toBeNull();
  });

  it('reads a model configuration of the tenant alone', async () => {
    const { llm } = (await backend.contexts.loadAgent(
      { tenantId: 'default', agentId: 1, version: null, executorId: null },
      NO_RETRY,
    )) ?? { llm: null };
    if (llm === null) throw new Error('the seeded agent has a model configuration');
    expect(await backend.contexts.findLlm('default', llm.id, NO_RETRY)).toEqual(llm);
    expect(await backend.contexts.findLlm('other', llm.id, NO_RETRY)).toBeNull();
    expect(await backend.contexts.findLlm('default', 999, NO_RETRY)).toBeNull();
  });

  it('knows which of some agents of a tenant may be used now', async () => {
    const usable = async (tenantId: string) => [
      ...(await backend.contexts.findUsableAgents(tenantId, [1, 999], NO_RETRY)),
    ];
    expect([await usable('default'), await usable('other')]).toEqual([[1], []]);
    await backend.changeAgent({ isActive: false });
    expect(await usable('default')).toEqual([]);
  });

  it('gives nothing of an execution that there is not', async () => {
    const claim = await steps.claim(await steps.accept());
    expect(await backend.contexts.load({ ...claim, executionId: uuid() }, NO_RETRY)).toBeNull();
    expect(await backend.contexts.load({ ...claim, tenantId: 'other' }, NO_RETRY)).toBeNull();
  });

  it('shows the settled messages of the conversation, oldest first, and nothing of what did not succeed', async () => {
    const first = await steps.complete(
      {},
      { messages: [said('system', 's'), said('user', 'u1'), said('assistant', 'a1')] },
    );
    const { sessionId } = first;
    await steps.complete({ sessionId }, { status: 'failed', messages: [] });
    await steps.complete({ sessionId }, { messages: [said('user', 'u3'), said('assistant', 'a3')] });
    await steps.complete({}, { messages: [said('user', 'elsewhere')] });
    const context = await load(await steps.accept({ sessionId }));
    expect(context?.messages.slice(0, 2)).toEqual([
      {
        ...{ role: 'system', content: 's', data: {}, turnNumber: 1 },
        tokens: { count: 1, tokenizer: 'characters' },
      },
      {
        ...{ role: 'user', content: 'u1', data: {}, turnNumber: 1 },
        tokens: { count: 2, tokenizer: 'characters' },
      },
    ]);
    expect(contentsOf(context)).toEqual(['s', 'u1', 'a1', 'u3', 'a3']);
  });

  it('shows after a reset only the system prompt of what was before', async () => {
    const { sessionId } = await steps.complete({}, { messages: [said('system', 's'), said('user', 'u1')] });
    await backend.reset(sessionId);
    await steps.complete({ sessionId }, { messages: [said('user', 'u2')] });
    expect(contentsOf(await load(await steps.accept({ sessionId })))).toEqual(['s', 'u2']);
  });

  it('knows that foreign content has reached the conversation, until it is reset', async () => {
    const isForeign = async (sessionId: string) => {
      const accepted = await steps.accept({ sessionId });
      const claim = await steps.claim(accepted);
      const context = await backend.contexts.load(claim, NO_RETRY);
      await steps.settle(claim, { status: 'failed', messages: [], hasForeign: false });
      return context?.hasForeignHistory;
    };
    const { sessionId } = await steps.complete({}, { messages: [said('user', 'u1')] });
    expect(await isForeign(sessionId)).toBe(false);
    await steps.complete({ sessionId }, { messages: [said('user', 'u2')], hasForeign: true });
    expect(await isForeign(sessionId)).toBe(true);
    await steps.complete({ sessionId }, { messages: [said('user', 'u3')] });
    expect(await isForeign(sessionId)).toBe(true);
    await backend.reset(sessionId);
    expect(await isForeign(sessionId)).toBe(false);
    const { sessionId: elsewhere } = await steps.complete({}, { messages: [said('user', 'u1')] });
    expect(await isForeign(elsewhere)).toBe(false);
  });

  it('gives the memories of this executor only, and only to an agent with memory', async () => {
    await backend.memories.create('default', 'mara', 'Sings.');
    await backend.memories.create('default', 'otto', 'Dances.');
    const known = async (user?: string) => {
      const executor = user === undefined ? {} : { executor: { user_id: user, name: 'n', email: 'e' } };
      const request = { input: 'hello', options: {}, additional_data: {}, ...executor };
      return (await load(await steps.accept({ request })))?.memories;
    };
    const called = async (executorId: string | null) => (await findAgent({ executorId }))?.memories;
    expect([await known('mara'), await called('mara')]).toEqual([[], []]);

    await backend.changeAgent({ config: { memory: { enabled: true } } });
    const sings = { text: 'Sings.', isPinned: true, isForeign: false };
    const dances = { text: 'Dances.', isPinned: true, isForeign: false };
    expect([await known('mara'), await known('otto')]).toEqual([[sings], [dances]]);
    expect([await called('mara'), await called('otto')]).toEqual([[sings], [dances]]);
    expect([await known(), await known('nobody'), await called(null)]).toEqual([[], [], []]);
  });

  it('gives a later attempt what the first one began with', async () => {
    const accepted = await steps.accept();
    const preparation: Preparation = {
      agent: { id: 1, version: 1 },
      ...{ model: 'm', extra: {}, instruction: 'be brief', tools: [{ name: 't', hash: 'h' }] },
      layers: [
        { name: 'tenant', hash: 'h1' },
        { name: 'agent', hash: 'h2' },
      ],
    };
    const claim = await steps.claim(accepted);
    await steps.append(claim, { kind: 'execution_prepared', ...preparation });
    const inner = { ...preparation, model: 'of an agent inside', scope: '1.0' };
    await steps.append(claim, { kind: 'execution_prepared', ...inner });
    await backend.claims.release(claim);
    expect((await load(accepted))?.preparation).toMatchObject(preparation);
  });
}
