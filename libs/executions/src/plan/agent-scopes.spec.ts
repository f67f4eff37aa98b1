import { describe, expect, it } from '@jest/globals';
import { LeaseLostError, type Preparation, type ScopePlan, type StopReason } from '#libs/agent-core';
import { ToolCatalogue } from '#libs/tooling';
import { PARAMETER_RULES } from '../../../../test/support/builders/parameter-rules.js';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { aStoredContext, aStoredLlm } from '../../../../test/support/builders/stored-context.js';
import { aPassage } from '../../../../test/support/builders/passage.js';
import { aTool } from '../../../../test/support/builders/tool.js';
import { InMemoryJournal } from '../../../../test/support/fakes/in-memory-journal.js';
import { RecordingSink } from '../../../../test/support/fakes/recording-sink.js';
import { ScriptedRetriever } from '../../../../test/support/fakes/scripted-retriever.js';
import { ScriptedModel } from '../../../../test/support/fakes/scripted-model.js';
import type { AgentVersionKey } from '../ports/context-store.js';
import type { StoredAgent } from '../ports/stored-context.js';
import { NO_RETRY } from '../ports/retry-policy.js';
import { AgentUsecaseFactory } from '../runners/agent-usecase-factory.js';
import { AgentScopes } from './agent-scopes.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import { BY_CHARACTERS } from '../../../../test/support/builders/counted-model.js';

const EXECUTOR = { user_id: 'u7', name: 'Mara', email: 'mara@example.com' };
const CLERK: StoredAgent = {
  ...aStoredContext({
    systemPrompt: 'You are the clerk.',
    config: { maximum_iterations: 2, temperature: 0.2 },
    tools: { builtin: ['charge'] },
    llm: aStoredLlm({ model: 'a-smaller-model', extra: { top_p: 0.5 } }),
  }),
};

function aWorld(agent: StoredAgent | null = CLERK) {
  const events = new RecordingSink();
  const model = new ScriptedModel([]);
  const retriever = new ScriptedRetriever(() =>
    Promise.resolve({ passages: [aPassage()], datasources: 1, totalCandidates: 1 }),
  );
  const seen = { agents: [] as AgentVersionKey[], tools: [] as unknown[], models: [] as string[] };
  const deps = {
    contexts: {
      loadAgent: (key: AgentVersionKey) => {
        seen.agents.push(key);
        return Promise.resolve(agent);
      },
    },
    tools: {
      load: (context: object) => {
        seen.tools.push(context);
        return Promise.resolve(new ToolCatalogue([aTool('charge')]));
      },
    },
    models: {
      of: (llm: { model: string }) => {
        seen.models.push(llm.model);
        return {
          model,
          maxRetries: 0,
          prices: null,
          costOf: () => '0.5',
          ...BY_CHARACTERS,
          parameters: PARAMETER_RULES,
        };
      },
    },
    usecases: new AgentUsecaseFactory(retriever, (text) => text),
    files: { list: () => Promise.resolve(null) },
    toolSearch: { mostListed: 128 },
    invokerOf: () => ({ invoke: () => Promise.resolve(null) }),
    messageData: { shownToModel: (data: object) => data },
    timers: { after: () => () => undefined },
    sha256: (text: string) => text,
    classifyStorageError: () => ({ kind: 'ours' }),
    logger: { warn: () => undefined },
  } as unknown as AttemptDependencies;
  const claim = aClaim({
    tenantId: 'acme',
    request: {
      input: 'of the root',
      options: { temperature: 0.9 },
      additional_data: { secret: 1 },
      preferred_skills: ['refunds'],
      executor: EXECUTOR,
    },
  });
  const time = { clock: { now: () => 0, monotonic: () => 0 } };
  const parts = {
    claim,
    journal: new InMemoryJournal(),
    retries: NO_RETRY,
    events,
    time,
    onEnd: () => undefined,
  };
  const request = {
    scope: '1.0',
    agentId: 7,
    name: 'clerk',
    input: 'settle order 7',
    caller: null,
    parentCallId: 'c1',
  };
  const answer = (signal = new AbortController().signal, preparation: Preparation | null = null) =>
    new AgentScopes(deps, parts).plan({ ...request, preparation }, signal);
  const plan = async (): Promise<ScopePlan | null> => {
    const planned = await answer();
    if (planned === 'stopped') throw new Error('it was stopped');
    return planned;
  };
  return { plan, answer, deps, events, seen, model, retriever };
}

describe('an agent that another one calls', () => {
  it('runs with its own model, prompt, parameters and iterations (S4-28)', async () => {
    const { plan, seen, model } = aWorld();
    const planned = await plan();
    expect(seen).toMatchObject({ agents: [{ tenantId: 'acme', agentId: 7 }], models: ['a-smaller-model'] });
    expect(planned?.model).toBe(model);
    expect(planned?.context).toMatchObject({
      agentId: 7,
      model: 'a-smaller-model',
      instruction: 'You are the clerk.',
      parameters: { temperature: 0.2, top_p: 0.5 },
    });
    expect(planned?.rules.maximumIterations).toBe(2);
  });

  it('reads what its caller wrote, and nothing of the conversation or the request (S4-28, S4-29)', async () => {
    const { plan } = aWorld();
    const planned = await plan();
    expect(planned?.context).toMatchObject({ input: 'settle order 7', history: [], additionalData: {} });
    expect(planned?.context.instruction).not.toContain('refunds');
  });

  it('has its own tools, which act for whom the request is (S4-28, S4-1)', async () => {
    const { plan, seen } = aWorld({ ...CLERK, skills: [{ name: 'refunds', description: 'How to.' }] });
    await plan();
    expect(seen.tools).toMatchObject([
      { agentTools: CLERK.tools, hasSkills: true, scope: '1.0', tenantId: 'acme', executor: EXECUTOR },
    ]);
  });

  it('emits events that say whose they are, and for which call (S4-14, S4-32)', async () => {
    const { plan, events } = aWorld();
    (await plan())?.events.emit({ event: 'text_delta', data: { content: 'x', round: 1 } });
    expect(events.events).toEqual([
      { event: 'text_delta', data: { content: 'x', round: 1, scope: '1.0', parent_tool_use_id: 'c1' } },
    ]);
  });

  it.each([
    ['is gone', null],
    ['is inactive', { ...CLERK, agentIsActive: false }],
    ['has a model that is inactive', { ...CLERK, llm: aStoredLlm({ isActive: false }) }],
  ])('is not run where it %s, and its caller goes on (S4-28)', async (_name, agent) => {
    expect(await aWorld(agent).plan()).toBeNull();
  });

  it('answers what its caller asks from its documents, which are looked through once (S3-34, S4-28)', async () => {
    const librarian = { ...CLERK, usecaseType: 'RAG_CHAT', config: { datasource_ids: [3], top_k: 2 } };
    const { plan, answer, retriever } = aWorld(librarian);
    const planned = await plan();
    expect(retriever.asked).toMatchObject([
      { tenantId: 'acme', scope: '1.0', question: 'settle order 7', parameters: { top_k: 2 } },
    ]);
    expect(planned?.context.preparation?.retrieval?.passages).toEqual([aPassage()]);
    expect(planned?.context.parameters).not.toHaveProperty('top_k');
    await answer(undefined, planned?.context.preparation ?? null);
    expect(retriever.asked).toHaveLength(1);
  });

  it('is planned once, with what was found for it (S3-34)', async () => {
    const { plan, deps } = aWorld({ ...CLERK, usecaseType: 'RAG_CHAT', config: { datasource_ids: [3] } });
    let plans = 0;
    const toolSearch = { mostListed: 128, indexTools: () => () => [] };
    const counting = { get: () => ((plans += 1), toolSearch) };
    Object.defineProperty(deps, 'toolSearch', counting);
    expect((await plan())?.context.preparation?.retrieval?.passages).toEqual([aPassage()]);
    expect(plans).toBe(1);
  });

  it('is not run with options that cannot be used, and nothing is looked for before that is known (S4-28)', async () => {
    const config = { datasource_ids: [3], maximum_iterations: 'many' };
    const { plan, retriever } = aWorld({ ...CLERK, usecaseType: 'RAG_CHAT', config });
    expect(await plan()).toBeNull();
    expect(retriever.asked).toEqual([]);
  });

  it('is not run where it is of a type that cannot be run, and its caller goes on (S3-30)', async () => {
    expect(await aWorld({ ...CLERK, usecaseType: 'CUSTOM_CHAT' }).plan()).toBeNull();
  });

  it('is not planned where it is cancelled, and its tools are not there', async () => {
    const { answer, deps } = aWorld();
    const never = () => new Promise(() => undefined);
    const timers = {
      after: (ms: number, act: () => void) => {
        if (ms === 1_000) act();
        return () => undefined;
      },
    };
    Object.assign(deps, { tools: { load: never }, timers });
    expect(await answer(AbortSignal.abort('cancelled' satisfies StopReason))).toBe('stopped');
  });

  it('is left to the next worker where this one is stopped for its lease, and is not called unusable (S4-28)', async () => {
    const { answer, deps, retriever } = aWorld({
      ...CLERK,
      usecaseType: 'RAG_CHAT',
      config: { datasource_ids: [1] },
    });
    const stop = new AbortController();
    retriever.find = () => {
      stop.abort('lease_lost' satisfies StopReason);
      return new Promise(() => undefined);
    };
    const warned: unknown[] = [];
    Object.assign(deps, { logger: { warn: (said: unknown) => warned.push(said) } });
    await expect(answer(stop.signal)).rejects.toThrow(LeaseLostError);
    expect(warned).toEqual([]);
  });
});
