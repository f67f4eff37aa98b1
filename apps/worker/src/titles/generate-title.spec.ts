import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import {
  ModelCallError,
  ModelHostUnavailableError,
  type ModelAnswer,
  type UsageRecord,
} from '#libs/agent-core';
import { NO_METER } from '#libs/executions';
import type { ClaimedTitle, HeldTry } from '#libs/persistence';
import { aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { aStoredLlm } from '../../../../test/support/builders/stored-context.js';
import { InMemoryEventStream } from '../../../../test/support/fakes/in-memory-event-stream.js';
import { SequenceModel } from '../../../../test/support/fakes/scripted-model.js';
import { GenerateTitle } from './generate-title.js';

const ID = '0190a000-0000-7000-8000-000000000001';
const CLAIMED: ClaimedTitle = {
  executionId: ID,
  sessionId: '0190a000-0000-7000-8000-0000000000aa',
  tenantId: 'default',
  agentId: 1,
  tryNumber: 1,
  elapsedMs: 0,
  input: 'Tomatoes, please',
  reply: 'How many?',
  llm: aStoredLlm({ model: 'a-small-model' }),
  fallbacks: [],
  fallbackFrom: null,
  isOfTenant: false,
};
const REFUSED = new ModelCallError({ reason: 'invalid_request', message: 'bad', retryable: false });
const FAILED = new ModelCallError({ reason: 'overloaded', message: 'busy', retryable: true });

interface Given {
  readonly answers?: (ModelAnswer | Error)[];
  readonly claimed?: Partial<ClaimedTitle>;
  /** Whether the session still exists without a title. */
  readonly isTitled?: boolean;
  readonly lastEvent?: 'result' | 'text_delta';
  readonly asksModels?: boolean;
}

async function generate({
  answers = [],
  claimed,
  isTitled = true,
  lastEvent = 'result',
  asksModels = true,
}: Given) {
  const model = new SequenceModel(answers);
  const finished: { title: string; usage: readonly UsageRecord[] }[] = [];
  const events = new InMemoryEventStream();
  const last = {
    event: lastEvent,
    data: lastEvent === 'result' ? { title_pending: true } : { content: 'x' },
  };
  await events.append(ID, 2, [last as never]);
  let tries = (claimed?.tryNumber ?? 1) - 1;
  let fallbackFrom = claimed?.fallbackFrom ?? null;
  const titles = {
    claim: (_id: string, _leaseMs: number, held: HeldTry | null) => {
      tries += 1;
      if (held?.isModelAway === true) fallbackFrom ??= tries;
      return Promise.resolve({ ...CLAIMED, ...claimed, tryNumber: tries, fallbackFrom });
    },
    finish: (_claimed: ClaimedTitle, title: string, usage: readonly UsageRecord[]) => {
      finished.push({ title, usage });
      return Promise.resolve(isTitled);
    },
  };
  const resolve = () => ({
    resolved: { model, costOf: () => '0.01' },
    parameters: { max_output_tokens: 100 },
  });
  await new GenerateTitle({
    titles,
    resolve,
    asksModels,
    events,
    logger: pino({ level: 'silent' }),
    meter: NO_METER,
  }).execute(ID);
  const emitted = (await events.readAfter(ID, 2, 10)).map(({ event, data }) => ({ event, data }));
  return { model, title: finished[0]?.title, usage: finished[0]?.usage ?? [], emitted };
}

describe('the title of a session', () => {
  it('is asked of the model by the input and the reply, and emitted after the result (S4-16, S4-42)', async () => {
    const { model, title, emitted } = await generate({ answers: [aModelAnswer({ text: 'Tomatoes' })] });
    expect(title).toBe('Tomatoes');
    expect(model.requests).toMatchObject([{ model: 'a-small-model', tools: [] }]);
    const prompt = JSON.stringify(model.requests[0]?.messages);
    expect(prompt).toContain('Tomatoes, please');
    expect(prompt).toContain('How many?');
    expect(emitted).toEqual([{ event: 'title_generated', data: { title: 'Tomatoes' } }]);
  });

  it('is asked of the model that the tenant names, also where titles are taken from inputs (S4-42)', async () => {
    const answers = [aModelAnswer({ text: 'Tomatoes' })];
    const byInput = await generate({ answers, asksModels: false });
    expect([byInput.title, byInput.model.requests, byInput.usage]).toEqual(['Tomatoes, please', [], []]);
    const byTenant = await generate({ answers, asksModels: false, claimed: { isOfTenant: true } });
    expect([byTenant.title, byTenant.model.requests.length]).toEqual(['Tomatoes', 1]);
  });

  it('has at most 50 characters (S4-43)', async () => {
    const { title } = await generate({ answers: [aModelAnswer({ text: 'x'.repeat(60) })] });
    expect(title).toBe('x'.repeat(50));
  });

  it('is paid for by itself, beside the rounds (S4-16)', async () => {
    const { usage } = await generate({ answers: [aModelAnswer({ text: 'Tomatoes' })] });
    expect(usage).toMatchObject([
      {
        purpose: 'title',
        round: 0,
        tryNumber: 1,
        state: 'known',
        costUsd: '0.01',
        tokens: { total_tokens: 15 },
      },
    ]);
  });

  it.each([
    ['fails', FAILED],
    ['answers nothing', aModelAnswer({ text: ' ' })],
  ])('is asked for once more where the model %s (S4-41)', async (_name, first) => {
    const { model, title } = await generate({ answers: [first, aModelAnswer({ text: 'Tomatoes' })] });
    expect(title).toBe('Tomatoes');
    expect(model.requests).toHaveLength(2);
  });

  it.each([
    ['fails', FAILED, 'a-small-model'],
    ['has a host that is not asked', new ModelHostUnavailableError(1_000), 'another-model'],
    ['refuses the request', REFUSED, 'a-small-model'],
    ['answers nothing', aModelAnswer({ text: ' ' }), 'a-small-model'],
  ])('is asked again where the first model %s, %p, of %s', async (_name, first, asked) => {
    const fallbacks = [aStoredLlm({ model: 'another-model' })];
    const answers = [first, aModelAnswer({ text: 'Tomatoes', model: asked })];
    const { model, title, usage } = await generate({ answers, claimed: { fallbacks } });
    expect(title).toBe('Tomatoes');
    expect(model.requests.map((request) => request.model)).toEqual(['a-small-model', asked]);
    expect(usage.at(-1)?.model).toBe(asked);
  });

  it('is asked of the fallback once where the model has failed twice', async () => {
    const fallbacks = [aStoredLlm({ model: 'another-model' })];
    const { model, title, usage } = await generate({
      answers: [FAILED, FAILED, FAILED],
      claimed: { fallbacks },
    });
    expect(model.requests.map((request) => request.model)).toEqual([
      ...['a-small-model', 'a-small-model', 'another-model'],
    ]);
    expect([title, usage.length]).toEqual(['Tomatoes, please', 3]);
  });

  it.each([
    ['had a model that was away', 3, 'another-model'],
    ['had a model that was there', null, undefined],
  ])('after another worker that %s from try %p on, is asked of %p', async (_name, fallbackFrom, asked) => {
    const fallbacks = [aStoredLlm({ model: 'another-model' })];
    const { model, title, usage } = await generate({
      answers: [aModelAnswer({ text: 'Tomatoes' })],
      claimed: { fallbacks, tryNumber: 3, fallbackFrom },
    });
    expect([title, model.requests[0]?.model]).toEqual([asked ? 'Tomatoes' : 'Tomatoes, please', asked]);
    expect(usage.map(({ tryNumber, model: by, state }) => [tryNumber, by, state])).toEqual([
      [1, 'a-small-model', 'unknown'],
      [2, 'a-small-model', 'unknown'],
      ...(asked ? [[3, expect.anything(), 'known']] : []),
    ]);
  });

  it('counts the tries of another worker for the model that they asked', async () => {
    const fallbacks = [aStoredLlm({ model: 'another-model' })];
    const { usage } = await generate({ claimed: { fallbacks, tryNumber: 4, fallbackFrom: 2 } });
    expect(usage.map(({ model }) => model)).toEqual(['a-small-model', 'another-model', 'another-model']);
  });

  it('is asked of no model a third time, also where there is a fallback for a model that is away', async () => {
    const fallbacks = [aStoredLlm({ model: 'another-model' })];
    const { model, title } = await generate({
      answers: [REFUSED, REFUSED, aModelAnswer({ text: 'x' })],
      claimed: { fallbacks },
    });
    expect([title, model.requests.length]).toEqual(['Tomatoes, please', 2]);
  });

  it('is how the input begins after two tries (S4-41, 3.I-28)', async () => {
    const { model, title, usage } = await generate({
      answers: [FAILED, FAILED, aModelAnswer({ text: 'x' })],
    });
    expect(title).toBe('Tomatoes, please');
    expect(model.requests).toHaveLength(2);
    expect(usage.map(({ tryNumber, state }) => [tryNumber, state])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
    ]);
  });

  it.each<[string, Partial<ClaimedTitle>]>([
    ['20 s have passed since the first try', { tryNumber: 2, elapsedMs: 20_000 }],
    ['two tries were lost with their workers', { tryNumber: 3 }],
    ['the model is inactive', { llm: aStoredLlm({ isActive: false }) }],
    ['the model is gone', { llm: null }],
  ])('is how the input begins where %s, and no model is asked (S4-41)', async (_name, claimed) => {
    const { model, title } = await generate({ claimed });
    expect(title).toBe('Tomatoes, please');
    expect(model.requests).toEqual([]);
  });

  it.each([
    ['the session has got one since, or is gone', { isTitled: false }],
    ['the result is not the last event', { lastEvent: 'text_delta' as const }],
  ])('is not emitted where %s (S4-16)', async (_name, given) => {
    const { emitted } = await generate({ ...given, answers: [aModelAnswer({ text: 'Tomatoes' })] });
    expect(emitted).toEqual([]);
  });
});
