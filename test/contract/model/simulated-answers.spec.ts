import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PromptMessage } from '#libs/payloads';
import { startSimulator, type RunningSimulator } from '../../../apps/simulator/src/simulator.js';
import { callModel, shownText } from './call-model.js';

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

const MODES: [string, object][] = [
  ['streamed', {}],
  ['blocking', { enable_stream: false }],
];
const REASONED = [
  { type: 'text', text: 'Let me see.', phase: 'commentary' },
  { type: 'reasoning', summary: ['first'] },
  { type: 'call', name: 'search', call_id: 'c1' },
  { type: 'reasoning', summary: ['second'] },
  { type: 'call', name: 'search', call_id: 'c2' },
];
const tool = {
  name: 'search',
  description: 'finds',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  strict: true,
};

function ask(answers: readonly object[], more: readonly PromptMessage[], mode: object, options = {}) {
  const content = `\`\`\`sim-script\n${JSON.stringify({ answers })}\n\`\`\``;
  const messages: PromptMessage[] = [{ role: 'user', content }, ...more];
  const parameters = { reasoning_effort: 'low', reasoning_summary: 'auto', ...mode };
  const connection = { baseUrl: simulator.url, apiKey: 'sk-any', ...options };
  return callModel(connection, { model: 'sim-script', messages, tools: [tool], parameters });
}

describe.each(MODES)('a %s answer of the simulator', (_mode, mode) => {
  it('comes in its own order, is taken back in that order, and leads to the next', async () => {
    const answers = [{ output: REASONED }, { text: ['Found it.', 'That is all.'] }];
    const { answer } = await ask(answers, [], mode);
    expect(answer?.text).toBe('Let me see.');
    expect(answer?.parts).toEqual([
      { kind: 'message', text: 'Let me see.', phase: 'commentary' },
      { kind: 'reasoning', index: 0 },
      { kind: 'call', callId: 'c1' },
      { kind: 'reasoning', index: 1 },
      { kind: 'call', callId: 'c2' },
    ]);
    const asked: PromptMessage = {
      role: 'assistant',
      content: answer?.text ?? '',
      toolCalls: (answer?.toolCalls ?? []).map((call) => ({ ...call, id: call.callId, name: call.toolName })),
      providerItems: answer?.providerItems ?? [],
      parts: answer?.parts ?? [],
    };
    const outputs = ['c1', 'c2'].map((toolCallId): PromptMessage => ({
      role: 'tool',
      toolCallId,
      content: 'ok',
    }));
    // The simulator refuses reasoning items at another place than in its own answer.
    const next = await ask(answers, [asked, ...outputs], mode);
    expect(next.error).toBeNull();
    expect(next.answer?.text).toBe('Found it.\nThat is all.');
    expect(shownText(next)).toBe('Found it.\nThat is all.');
  });

  it('shows a refusal as text', async () => {
    const outcome = await ask([{ output: [{ type: 'refusal', refusal: 'I cannot.' }] }], [], mode);
    expect([outcome.answer?.text, shownText(outcome)]).toEqual(['I cannot.', 'I cannot.']);
  });

  it.each(['failed', 'cancelled', 'queued', 'in_progress'])(
    'is none when it is said to be complete and has the status %s',
    async (status) => {
      const faults = [{ fault: { kind: 'status_inside', status } }];
      const { error } = await ask([{ text: 'half', faults }], [], mode);
      expect(error).toMatchObject({ reason: 'response_failed', details: { responseStatus: status } });
    },
  );

  it('comes from a server without streaming', async () => {
    const faults = [{ fault: { kind: 'ignores_stream' } }];
    const outcome = await ask([{ text: 'all at once', faults }], [], mode);
    expect(outcome.deltas).toEqual([{ kind: 'text', content: 'all at once' }]);
  });
});

it('a first byte that does not come is not waited for', async () => {
  const faults = [{ fault: { kind: 'hang_before_headers' } }];
  const { error } = await ask([{ text: 'late', faults }], [], {}, { firstByteMs: 50, timeoutMs: 60_000 });
  expect(error).toMatchObject({ reason: 'first_byte_timeout', retryable: true });
});
