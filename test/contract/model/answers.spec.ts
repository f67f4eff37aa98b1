import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callModel, shownText } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider } from './scripted-provider.js';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(() => provider.stop());

const { text, thought, call, COMPLETED, CREATED } = scenes;
const run = (parameters = {}) => callModel({ baseUrl: provider.baseUrl }, { parameters });

describe('an answer of the provider', () => {
  it('is shown while it streams and restored when it is whole', async () => {
    provider.play(
      scenes.stream(CREATED, thought('hm'), text('he'), text('llo'), call('c1', 'search', '{}'), COMPLETED),
    );
    const { answer, deltas } = await run();
    expect(deltas).toEqual(scenes.HELLO_SHOWN);
    expect(answer).toEqual(scenes.helloAnswer([]));
  });

  it('S1-25: comes in one piece when enable_stream is off, and is shown at once', async () => {
    const output = [
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'x',
      },
      { type: 'message', content: [{ type: 'output_text', text: 'hello' }] },
    ];
    provider.play(scenes.json({ ...scenes.COMPLETED_RESPONSE, output }));
    const { answer, deltas } = await run({ enable_stream: false });
    expect(provider.requests[0]?.body).toMatchObject({ stream: false });
    expect(answer).toMatchObject({ text: 'hello', thinking: 'hm', providerItems: [output[0]] });
    expect(deltas).toEqual([
      { kind: 'thinking', content: 'hm' },
      { kind: 'text', content: 'hello' },
    ]);
  });

  it('comes in one piece from a server that ignores that it was asked to stream, and is shown at once', async () => {
    provider.play(scenes.json({ ...scenes.COMPLETED_RESPONSE, output_text: 'hello' }));
    const { answer, deltas } = await run();
    expect(provider.requests[0]?.body).toMatchObject({ stream: true });
    expect(answer).toMatchObject({ text: 'hello', usage: { total_tokens: 17 } });
    expect(deltas).toEqual([{ kind: 'text', content: 'hello' }]);
  });

  it.each<[string, object]>([
    ['streamed', {}],
    ['blocking', { enable_stream: false }],
  ])('keeps the order of what the model did, and its phases, %s', async (_case, parameters) => {
    const output = [
      {
        type: 'message',
        id: 'm1',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Let me see.' }],
      },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'search', arguments: 5 },
      { type: 'message', id: 'm2', phase: 'final_answer', content: [{ type: 'refusal', refusal: 'No.' }] },
    ];
    const response = { ...scenes.COMPLETED_RESPONSE, output };
    const events = [
      { ...text('Let me '), item_id: 'm1', content_index: 0 },
      { ...text('see.'), item_id: 'm1', content_index: 0 },
      { type: 'response.refusal.delta', delta: 'No.', item_id: 'm2', content_index: 0 },
    ];
    provider.play(
      'enable_stream' in parameters
        ? scenes.json(response)
        : scenes.stream(CREATED, ...events, { type: 'response.completed', response }),
    );
    const outcome = await run(parameters);
    expect(outcome.answer).toMatchObject({
      text: 'Let me see.\nNo.',
      toolCalls: [{ callId: 'c1', arguments: '5' }],
      providerItems: [output[1]],
      parts: [
        { kind: 'message', text: 'Let me see.', phase: 'commentary' },
        { kind: 'reasoning', index: 0 },
        { kind: 'call', callId: 'c1' },
        { kind: 'message', text: 'No.', phase: 'final_answer' },
      ],
    });
    expect(shownText(outcome)).toBe('Let me see.\nNo.');
  });

  const whole = [CREATED, text('a🍎b'), COMPLETED].map(scenes.frame).join('');
  const raw = new TextEncoder().encode(whole);
  const insideApple = raw.findIndex((byte) => byte === 0xf0) + 2;
  it.each<[string, (string | Uint8Array)[]]>([
    ['L10: line ends of CRLF', [whole.replaceAll('\n', '\r\n')]],
    ['L10: a character cut in two', [raw.slice(0, insideApple), raw.slice(insideApple)]],
    ['L10: one packet a byte', Array.from(raw, (byte) => Uint8Array.of(byte))],
    ['L8: comments that keep the line open', [': ping\n\n', whole.replaceAll('\n\n', '\n\n: ping\n\n')]],
    ['L10: no event names', [whole.replaceAll(/event: .*\n/g, '')]],
    ['a last event without an empty line after it', [whole.trimEnd()]],
    ['a [DONE] at the end', [`${whole}data: [DONE]\n\n`]],
    ['L10: unknown events', [scenes.frame({ type: 'response.sparkle', delta: 'x' }), whole]],
  ])('is the same with %s', async (_case, chunks) => {
    provider.play(scenes.bytes(...chunks));
    const outcome = await run();
    expect(outcome.answer?.text).toBe('a🍎b');
    expect(shownText(outcome)).toBe('a🍎b');
  });

  it('L12: does not depend on sequence numbers', async () => {
    const numbered = [CREATED, text('a'), text('b'), COMPLETED].map((event, index) => ({
      ...event,
      sequence_number: index === 2 ? 1 : 9 - index,
    }));
    provider.play(scenes.stream(...numbered));
    expect((await run()).answer?.text).toBe('ab');
  });

  it('may come as a stream without a content type', async () => {
    provider.play((response) => {
      response.writeHead(200);
      response.end([text('a'), COMPLETED].map(scenes.frame).join(''));
    });
    expect((await run()).answer?.text).toBe('a');
  });

  it.each(['max_output_tokens', 'content_filter'])(
    'L11: keeps its text when cut short by %s',
    async (reason) => {
      const response = { ...scenes.COMPLETED_RESPONSE, status: 'incomplete', incomplete_details: { reason } };
      provider.play(scenes.stream(text('half'), { type: 'response.incomplete', response }));
      expect((await run()).answer).toMatchObject({ text: 'half', incompleteReason: reason });
      provider.play(scenes.json({ ...response, output_text: 'half' }));
      expect((await run({ enable_stream: false })).answer).toMatchObject({
        text: 'half',
        incompleteReason: reason,
      });
    },
  );

  it.each([
    ['""', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['no JSON', '{"a'],
    ['__proto__', '{"__proto__":1}'],
  ])('L13, L21: carries tool arguments that are %s unchanged', async (_case, args) => {
    provider.play(scenes.stream(call('c', 'n', args), COMPLETED));
    expect((await run()).answer?.toolCalls).toEqual([{ callId: 'c', toolName: 'n', arguments: args }]);
  });

  it('L21: carries large and deep tool arguments and cleans what no database stores', async () => {
    const long = `{"a":"${'x'.repeat(1_048_576)}"}`;
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    provider.play(
      scenes.stream(call('1', 'n', long), call('2', 'n', deep), call('3', 'n', '"\u0000\ud800"'), COMPLETED),
    );
    const args = (await run()).answer?.toolCalls.map((one) => one.arguments);
    expect(args).toEqual([long, deep, '"\ufffd"']);
  });

  it('L14, L19: carries fifty calls in their order, known tools or not', async () => {
    const calls = Array.from({ length: 50 }, (_, index) => call(`c${index}`, `tool_${index}`, '{}'));
    provider.play(scenes.stream(...calls, COMPLETED));
    expect((await run()).answer?.toolCalls.map(({ callId }) => callId)).toEqual(
      calls.map((_, index) => `c${index}`),
    );
  });

  it('L15: gives the place of a broken call to the whole one of its call_id', async () => {
    provider.play(
      scenes.stream(call('a', 'broken', '{'), call('b', 'other', '{}'), call('a', 'whole', '{}'), COMPLETED),
    );
    expect((await run()).answer?.toolCalls.map(({ toolName }) => toolName)).toEqual(['whole', 'other']);
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['contradictory', { input_tokens: 1, output_tokens: 1, input_tokens_details: { cached_tokens: 5 } }],
  ])('L20: never guesses usage that is %s', async (_case, usage) => {
    provider.play(
      scenes.stream(text('a'), { ...COMPLETED, response: { ...scenes.COMPLETED_RESPONSE, usage } }),
    );
    expect((await run()).answer).toMatchObject({ text: 'a', usage: null });
  });

  it('keeps its connection for the next call', async () => {
    const scene = scenes.streamWithLateEnd(text('a'), COMPLETED);
    provider.play(scene);
    await run();
    provider.play(scene);
    await run();
    await run();
    expect(provider.requests).toHaveLength(2);
    expect(provider.connections).toBe(0);
  });
});
