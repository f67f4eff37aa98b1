import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { modelProviders } from '#libs/model-providers';
import type { PromptMessage } from '#libs/payloads';
import { startSimulator, type RunningSimulator } from '../../../apps/simulator/src/simulator.js';
import { connectionTo } from '../../support/services/open-model.js';
import { callModel } from './call-model.js';
import { ASKED_PROVIDERS } from './wires.js';

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

const TEXT = '発注 🍎 is written down';
const tool = {
  name: 'search',
  description: 'finds',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
  strict: false,
};

/** Parameters that make a provider's model return its reasoning. */
const REASONING: Readonly<Record<string, JsonObject>> = {
  openai: { reasoning_effort: 'low', reasoning_summary: 'auto' },
  openai_compatible: { reasoning_effort: 'low' },
  anthropic: { reasoning_effort: 'low', reasoning_summary: 'auto' },
  bedrock: { reasoning_effort: 'low', reasoning_summary: 'auto' },
};

describe.each(ASKED_PROVIDERS)('a conversation with the simulator, by %s', (provider) => {
  it('L16, L23: takes its own reasoning and calls back, with nothing stored, also when an id comes again', async () => {
    const script = {
      answers: [
        { reasoning: 'One.', calls: [{ name: 'search', call_id: 'same', arguments: { query: 'a' } }] },
        {
          reasoning: 'Two.',
          calls: [{ name: 'search', arguments: { query: 'b' } }],
          faults: [{ fault: { kind: 'reused_call_id' } }],
        },
        { text: TEXT },
      ],
    };
    const user = { role: 'user' as const, content: `\`\`\`sim-script\n${JSON.stringify(script)}\n\`\`\`` };
    let history: readonly PromptMessage[] = [user];
    const ids: string[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const { answer, error } = await callModel(
        { provider, baseUrl: simulator.url },
        {
          model: 'sim-script',
          tools: [tool],
          messages: history,
          parameters: REASONING[provider] ?? {},
        },
      );
      expect(error).toBeNull();
      if (answer === null || answer.toolCalls.length === 0) {
        expect(answer?.text).toBe(TEXT);
        break;
      }
      ids.push(...answer.toolCalls.map((call) => call.callId));
      history = [
        ...history,
        {
          role: 'assistant',
          content: answer.text,
          toolCalls: answer.toolCalls.map((call) => ({
            id: call.callId,
            name: call.toolName,
            arguments: call.arguments,
          })),
          providerItems: answer.providerItems,
        },
        ...answer.toolCalls.map((call) => ({
          role: 'tool' as const,
          toolCallId: call.callId,
          content: '[]',
        })),
      ];
    }
    expect(ids).toEqual(['same', 'same']);
  });

  it('S1-37, S1-38: accepts a good key and refuses a bad one', async () => {
    const signal = new AbortController().signal;
    const checked = modelProviders.get(provider);
    const good = connectionTo({ apiKey: 'sk-any', baseUrl: simulator.url });
    const bad = { ...good, apiKey: 'sk-invalid' };
    expect(await checked.checkCredentials(good, signal)).toEqual({ ok: true });
    expect(await checked.checkModel(good, 'sim-echo', signal)).toEqual({ ok: true });
    expect(await checked.checkCredentials(bad, signal)).toMatchObject({ reason: 'invalid_credentials' });
    expect(await checked.checkModel(bad, 'sim-echo', signal)).toMatchObject({
      reason: 'invalid_credentials',
    });
    expect(await checked.checkModel(good, 'no-such-model', signal)).toMatchObject({
      reason: 'model_not_found',
    });
  });
});
