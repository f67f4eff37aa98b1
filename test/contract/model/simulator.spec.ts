import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { startSimulator, type RunningSimulator } from '../../../apps/simulator/src/simulator.js';
import { callModel, shownText } from './call-model.js';
import { ASKED_PROVIDERS } from './wires.js';

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

type Fault = { readonly kind: string; readonly [field: string]: unknown };
const TEXT = '発注 🍎 is written down';
const tool = {
  name: 'search',
  description: 'finds',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
  strict: true,
};

/** Parameters that make a provider's model return its reasoning, and the type of the item that goes back to it. */
const REASONING: Readonly<Record<string, { readonly asked: JsonObject; readonly item: string }>> = {
  openai: { asked: { reasoning_effort: 'low', reasoning_summary: 'auto' }, item: 'reasoning' },
  openai_compatible: { asked: { reasoning_effort: 'low' }, item: 'chat_reasoning' },
  anthropic: { asked: { reasoning_effort: 'low', reasoning_summary: 'auto' }, item: 'thinking' },
  bedrock: { asked: { reasoning_effort: 'low', reasoning_summary: 'auto' }, item: 'thinking' },
};

describe.each(ASKED_PROVIDERS)('the provider %s', (provider) => {
  const { asked: reasoning, item: reasoningItem } = REASONING[provider] ?? { asked: {}, item: '' };

  /** Calls the scripted model, which answers `TEXT` or `answer` with these faults. */
  function play(
    faults: readonly Fault[],
    answer: object = { text: TEXT },
    options: object = {},
    parameters = {},
  ) {
    const script = { answers: [{ ...answer, faults: faults.map((fault) => ({ fault })) }] };
    const content = `\`\`\`sim-script\n${JSON.stringify(script)}\n\`\`\``;
    return callModel(
      { provider, baseUrl: simulator.url, apiKey: 'sk-any', ...options },
      { model: 'sim-script', messages: [{ role: 'user', content }], tools: [tool], parameters },
    );
  }

  describe.each([
    ['streamed', {}],
    ['blocking', { enable_stream: false }],
  ])('a %s call of the simulator', (_mode, parameters) => {
    it.each<[string, Fault, string, boolean]>([
      ['L1', { kind: 'rate_limited' }, 'rate_limited', true],
      ['L3', { kind: 'insufficient_quota' }, 'insufficient_quota', false],
      ['L3', { kind: 'unauthorized' }, 'invalid_credentials', false],
      ['L3', { kind: 'forbidden' }, 'permission_denied', false],
      ['L3', { kind: 'model_not_found' }, 'model_not_found', false],
      ['L3', { kind: 'context_length_exceeded' }, 'context_length_exceeded', false],
      ['L3', { kind: 'conflict' }, 'invalid_request', false],
      ['L4', { kind: 'request_timeout' }, 'request_timeout', true],
      ['L4', { kind: 'server_error' }, 'provider_unavailable', true],
      ['L4', { kind: 'server_error', status: 502, body: 'html' }, 'provider_unavailable', true],
      ['L4', { kind: 'server_error', status: 503 }, 'provider_unavailable', true],
      ['L4', { kind: 'server_error', status: 504 }, 'provider_unavailable', true],
      ['L5', { kind: 'reset_before_headers' }, 'connection_failed', true],
      ['L6', { kind: 'hang_before_headers' }, 'request_timeout', true],
      ['L22', { kind: 'html_page' }, 'invalid_response', true],
      ['L22', { kind: 'empty_body' }, 'invalid_response', true],
      ['L11', { kind: 'response_failed' }, 'response_failed', true],
      ['L11', { kind: 'response_failed', code: 'invalid_prompt' }, 'response_failed', false],
    ])('%s: %j fails as %s', async (_number, fault, reason, retryable) => {
      const { error } = await play(
        [fault],
        {},
        { timeoutMs: fault.kind.startsWith('hang') ? 100 : 5_000 },
        parameters,
      );
      expect(error).toMatchObject({ reason, retryable });
    });

    it.each<[string, unknown, number | null]>([
      ['L1', 1, 1_000],
      ['L2', 600, 600_000],
      ['L2', { date_in_s: 60 }, 60_000],
      ['L2', -5, null],
      ['L2', 'soon', null],
    ])('%s: a Retry-After of %j is handed on as %j ms', async (_number, retryAfter, expected) => {
      const fault = { kind: 'rate_limited', retry_after: retryAfter };
      const now = Math.floor(Date.now() / 1_000) * 1_000;
      const { error } = await play([fault], {}, { clock: { now: () => now } }, parameters);
      const waited = error?.retryAfterMs ?? null;
      const rounded = waited === null ? null : Math.floor(waited / 10_000) * 10_000 || waited;
      expect(rounded).toBe(expected);
    });

    it.each(['max_output_tokens', 'content_filter'])(
      'L11: an answer cut short by %s is kept',
      async (reason) => {
        const { answer } = await play([{ kind: 'response_incomplete', reason }], undefined, {}, parameters);
        expect(answer?.incompleteReason).toBe(reason);
        expect(TEXT.startsWith(answer?.text ?? 'nothing')).toBe(true);
      },
    );

    it.each(['missing', 'null', 'inconsistent'])('L20: usage that is %s is not guessed', async (mode) => {
      const { answer } = await play([{ kind: 'usage', mode }], undefined, {}, parameters);
      expect(answer).toMatchObject({ text: TEXT, usage: null });
    });

    it('reads usage, reasoning and calls of a whole answer', async () => {
      const scripted = {
        reasoning: 'Hm.',
        text: TEXT,
        calls: [{ name: 'search', call_id: 'call_1', arguments: { query: '林檎' } }],
        usage: { input_tokens: 9, cached_tokens: 4, output_tokens: 7, reasoning_tokens: 3 },
      };
      const { answer } = await play([], scripted, {}, { ...parameters, ...reasoning });
      expect(answer).toMatchObject({
        text: TEXT,
        thinking: 'Hm.',
        toolCalls: [{ callId: 'call_1', toolName: 'search', arguments: '{"query":"林檎"}' }],
        usage: {
          input_tokens: 9,
          cached_input_tokens: 4,
          output_tokens: 7,
          reasoning_tokens: 3,
          total_tokens: 16,
        },
        incompleteReason: null,
        providerItems: [{ type: reasoningItem }],
      });
    });

    it.each<[string, string]>([
      ['empty', ''],
      ['array', '[]'],
      ['null', 'null'],
    ])('L13: arguments that are %s arrive as they are', async (value, expected) => {
      const { answer } = await play([{ kind: 'arguments', value }], undefined, {}, parameters);
      expect(answer?.toolCalls[0]?.arguments).toBe(expected);
    });

    it.each([
      'invalid_json',
      'one_megabyte',
      'deep',
      'nul',
      'lone_surrogate',
      'lone_surrogate_escaped',
      'proto',
    ])('L13, L21: arguments that are hostile (%s) arrive as text that can be stored', async (value) => {
      const { answer } = await play([{ kind: 'arguments', value }], undefined, {}, parameters);
      const text = answer?.toolCalls[0]?.arguments ?? '';
      expect(text.length).toBeGreaterThan(2);
      expect(text.isWellFormed() && !text.includes('\u0000')).toBe(true);
    });

    it('L14: a call of an unknown tool arrives', async () => {
      const { answer } = await play([{ kind: 'unknown_tool' }], undefined, {}, parameters);
      expect(answer?.toolCalls[0]?.toolName).toBe('no_such_tool');
    });

    it('L15: a call_id that comes twice is of two calls', async () => {
      const calls = [
        { name: 'search', arguments: '1' },
        { name: 'search', arguments: '2' },
      ];
      const { answer } = await play([{ kind: 'duplicate_call_id' }], { calls }, {}, parameters);
      expect(answer?.toolCalls.map((call) => call.arguments)).toEqual(['1', '2']);
      expect(new Set(answer?.toolCalls.map((call) => call.callId)).size).toBe(2);
    });

    it('L18: a call in a loop without end is a call like any other', async () => {
      const { answer } = await play([{ kind: 'endless_tool_loop' }], undefined, {}, parameters);
      expect(answer?.toolCalls).toHaveLength(1);
    });

    it('L19: fifty calls arrive', async () => {
      const { answer } = await play([{ kind: 'many_calls', count: 50 }], undefined, {}, parameters);
      expect(new Set(answer?.toolCalls.map((call) => call.callId)).size).toBe(50);
    });

    it('a refusal is shown as the text', async () => {
      const { answer } = await play([{ kind: 'refusal', text: 'No.' }], undefined, {}, parameters);
      expect(answer).toMatchObject({ text: 'No.', toolCalls: [] });
    });
  });

  describe('a stream of the simulator', () => {
    it.each<[string, readonly Fault[]]>([
      ['L10', [{ kind: 'crlf' }]],
      ['L10', [{ kind: 'split_utf8' }]],
      ['L10', [{ kind: 'split_events', bytes: 64 }]],
      ['L10', [{ kind: 'unknown_events' }]],
      ['L8', [{ kind: 'comments' }]],
      ['L8', [{ kind: 'slow_drip', bytes: 200, interval_ms: 1 }]],
      ['L9', [{ kind: 'done_marker' }]],
      ['L12', [{ kind: 'sequence_numbers', mode: 'duplicate' }]],
      ['L12', [{ kind: 'sequence_numbers', mode: 'out_of_order' }]],
      ['L12', [{ kind: 'sequence_numbers', mode: 'gaps' }]],
      ['L12', [{ kind: 'sequence_numbers', mode: 'missing' }]],
      ['L4', [{ kind: 'slow', headers_ms: 5, delta_ms: 1 }]],
      ['L7', [{ kind: 'hang_mid_stream', ms: 20 }]],
      ['L10', [{ kind: 'crlf' }, { kind: 'comments' }, { kind: 'unknown_events' }, { kind: 'split_utf8' }]],
    ])('%s: is whole in spite of %j', async (_number, faults) => {
      const outcome = await play(faults);
      expect(outcome.answer?.text).toBe(TEXT);
      expect(shownText(outcome)).toBe(TEXT);
    });

    it.each<[string, Fault, string]>([
      ['L7', { kind: 'hang_mid_stream' }, 'idle_timeout'],
      ['L8', { kind: 'slow_drip', bytes: 1, interval_ms: 10 }, 'idle_timeout'],
      ['L9', { kind: 'truncate' }, 'truncated_stream'],
      ['L9', { kind: 'truncate', after_events: 0 }, 'truncated_stream'],
      ['L9', { kind: 'truncate_mid_event' }, 'malformed_event'],
      ['L9', { kind: 'reset_mid_event' }, 'truncated_stream'],
      ['L10', { kind: 'invalid_json_event' }, 'malformed_event'],
      ['L11', { kind: 'error_event' }, 'response_failed'],
      ['L11', { kind: 'error_event', code: null }, 'response_failed'],
    ])(
      '%s: %j fails as %s, may be tried again, and shows no more than was said',
      async (_number, fault, reason) => {
        const outcome = await play([fault], undefined, { idleTimeoutMs: 200, timeoutMs: 300 });
        expect(outcome.error).toMatchObject({ reason, retryable: true });
        expect(TEXT.startsWith(shownText(outcome))).toBe(true);
      },
    );

    it('a body that breaks off is no answer either', async () => {
      for (const kind of ['truncate', 'truncate_mid_event', 'reset_mid_event', 'invalid_json_event']) {
        const { error } = await play([{ kind }], undefined, {}, { enable_stream: false });
        expect(error?.retryable).toBe(true);
      }
    });
  });
});
