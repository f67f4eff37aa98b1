import { describe, expect, it } from '@jest/globals';
import {
  ModelCallError,
  ModelHostUnavailableError,
  type ModelAnswer,
  type UsageRecord,
} from '#libs/agent-core';
import { readMemorySettings } from '#libs/policy';
import { aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { aStoredLlm } from '../../../../test/support/builders/stored-context.js';
import { SequenceModel } from '../../../../test/support/fakes/scripted-model.js';
import { NO_METER } from '../ports/execution-meter.js';
import { ExtractMemories } from './extract-memories.js';
import type { ClaimedExtraction } from './memory-extraction-store.js';
import type { MemoryProposal } from './memory-proposal.js';

const CLAIMED: ClaimedExtraction = {
  ...{ executionId: 'e', token: 't', tenantId: 'default', executorId: 'mara', agentId: 1 },
  ...{
    tryNumber: 1,
    recordedTry: 0,
    input: 'I sing. My token: abcdef123456',
    isWanted: true,
    isForeign: false,
  },
  facts: [
    { id: 7, text: 'Dances.', isPinned: false, isForeign: false },
    { id: 8, text: 'Lives in Bonn.', isPinned: true, isForeign: false },
  ],
  settings: readMemorySettings({ memory: { enabled: true } }),
  llm: aStoredLlm({ model: 'a-small-model' }),
};
const LEARNT = JSON.stringify({ remember: [{ text: 'Sings.', said: 'I sing' }], update: [], forget: [] });
const FAILED = new ModelCallError({ reason: 'overloaded', message: 'busy', retryable: true });

async function extract(answer: ModelAnswer | Error | null, claimed: Partial<ClaimedExtraction> = {}) {
  const model = new SequenceModel(answer === null ? [] : [answer]);
  const ended: unknown[] = [];
  let usage: readonly UsageRecord[] = [];
  const note = (what: string, detail: unknown, spent: readonly UsageRecord[]): void => {
    ended.push(what, detail);
    usage = spent;
  };
  const extractions = {
    claim: () => Promise.resolve({ ...CLAIMED, ...claimed }),
    learn: (_held: object, proposal: MemoryProposal, spent: readonly UsageRecord[]) => {
      note('learn', proposal, spent);
      return Promise.resolve('learnt' as const);
    },
    end: (_held: object, outcome: string, spent: readonly UsageRecord[]) => {
      note('end', outcome, spent);
      return Promise.resolve();
    },
    putOff: (_held: object, delayMs: number, spent: readonly UsageRecord[]) => {
      note('put off', delayMs, spent);
      return Promise.resolve();
    },
  };
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const abortAfter = (): AbortSignal => new AbortController().signal;
  const modelOf = () => ({ model, costOf: () => '0.01' });
  await new ExtractMemories({
    extractions,
    modelOf,
    newToken: () => 't',
    abortAfter,
    logger,
    meter: NO_METER,
  }).execute('e');
  return { model, ended, usage };
}

describe('learning of an execution', () => {
  it('shows a model what the user said, without secrets, and what is remembered', async () => {
    const { model } = await extract(aModelAnswer({ text: LEARNT }));
    const [request] = model.requests;
    expect(request).toMatchObject({ model: 'a-small-model', tools: [] });
    expect(request?.parameters).toMatchObject({
      response_format: 'json_schema',
      json_schema: { strict: true, schema: { required: ['remember', 'update', 'forget'] } },
    });
    expect(JSON.parse(String(request?.messages[1]?.content))).toEqual({
      known: [
        { id: 7, text: 'Dances.' },
        { id: 8, text: 'Lives in Bonn.', fixed: true },
      ],
      said: 'I sing. My token: ***REDACTED***',
    });
  });

  it('reads no more of a long input than its beginning', async () => {
    const { model } = await extract(aModelAnswer({ text: LEARNT }), { input: 'x'.repeat(30_000) });
    const { said } = JSON.parse(String(model.requests[0]?.messages[1]?.content)) as { said: string };
    expect(said).toHaveLength(20_000);
  });

  it('proposes what the model answers, and says what it has cost', async () => {
    const { ended, usage } = await extract(aModelAnswer({ text: LEARNT }));
    expect(ended).toEqual(['learn', { remember: ['Sings.'], update: [], forget: [] }]);
    expect(usage).toMatchObject([{ purpose: 'memory', tryNumber: 1, state: 'known', costUsd: '0.01' }]);
  });

  it.each([
    ['answers nonsense', aModelAnswer({ text: 'I shall remember.' }), ['known']],
    ['fails', FAILED, ['failed']],
    ['is at a host that is not there', new ModelHostUnavailableError(1_000), []],
  ])('is tried again later where the model %s', async (_name, answer, states) => {
    const { ended, usage } = await extract(answer);
    expect(ended).toEqual(['put off', 10_000]);
    expect(usage.map(({ state }) => state)).toEqual(states);
  });

  it.each([
    [2, ['put off', 60_000]],
    [3, ['put off', 300_000]],
    [4, ['end', 'given_up']],
  ])('grows slower, and ends: try %i', async (tryNumber, ending) => {
    const { ended } = await extract(FAILED, { tryNumber, recordedTry: tryNumber - 1 });
    expect(ended).toEqual(ending);
  });

  it('is given up without a model where every try was lost with its worker, all of them accounted for', async () => {
    const { model, ended, usage } = await extract(null, { tryNumber: 5, recordedTry: 1 });
    expect(model.requests).toEqual([]);
    expect(ended).toEqual(['end', 'given_up']);
    expect(usage.map(({ tryNumber, state }) => [tryNumber, state])).toEqual([
      [2, 'unknown'],
      [3, 'unknown'],
      [4, 'unknown'],
    ]);
  });

  it.each<[string, Partial<ClaimedExtraction>]>([
    ['it is not wanted any more', { isWanted: false }],
    ['the agent is not to remember', { settings: readMemorySettings({}) }],
    ['the model is inactive', { llm: aStoredLlm({ isActive: false }) }],
    ['the model is gone', { llm: null }],
  ])('asks no model where %s', async (_name, claimed) => {
    const { model, ended } = await extract(null, claimed);
    expect(model.requests).toEqual([]);
    expect(ended).toEqual(['end', 'skipped']);
  });
});
