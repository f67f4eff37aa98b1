import { describe, expect, it } from '@jest/globals';
import { MessageProcessor, type ProcessorStep } from './message-processor.js';

const start = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude', usage: { input_tokens: 10 } },
};
const thinking = [
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'signed' } },
];
const text = [
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Done.' } },
];
const call = [
  {
    ...{ type: 'content_block_start', index: 2 },
    content_block: { type: 'tool_use', id: 'call_1', name: 'mcp__capstan__search', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"q":1}' } },
];
const end = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];
const stream = (...events: object[]) =>
  events.map((event) => ({ type: 'stream_event', event, parent_tool_use_id: null }));
const result = (change: object = {}) => ({
  ...{ type: 'result', subtype: 'success', is_error: false, result: 'Done.' },
  ...change,
});
const usage = (inputTokens: number, outputTokens: number) => ({
  claude: { inputTokens, outputTokens, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
});

function read(processor: MessageProcessor, messages: readonly unknown[]): ProcessorStep[] {
  return messages.flatMap((message) => processor.push(message));
}
const kinds = (steps: readonly ProcessorStep[]) => steps.map(({ kind }) => kind);

describe('MessageProcessor (S4-13)', () => {
  it('S4-22: names the session of the init message', () =>
    expect(new MessageProcessor().push({ type: 'system', subtype: 'init', session_id: 's1' })).toEqual([
      { kind: 'opened', sessionId: 's1' },
    ]));

  it('S4-23, S4-25: shows texts and thoughts as they come', () => {
    const steps = read(new MessageProcessor(), stream(start, ...thinking, ...text, ...end('end_turn')));
    expect(steps.flatMap((step) => (step.kind === 'deltas' ? step.deltas : []))).toEqual([
      { kind: 'thinking', content: 'hm' },
      { kind: 'text', content: 'Done.' },
    ]);
  });

  it('S4-24: answers with the calls that the engine waits for, and with signed thoughts', () => {
    const steps = read(new MessageProcessor(), stream(start, ...thinking, ...call, ...end('tool_use')));
    expect(steps.at(-1)).toMatchObject({
      kind: 'answered',
      answer: {
        responseId: 'msg_1',
        toolCalls: [{ id: 'call_1', arguments: '{"q":1}' }],
        providerItems: [{ type: 'thinking', signature: 'signed' }],
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    });
  });

  it('S4-27: finishes with the result', () => {
    const processor = new MessageProcessor();
    expect(kinds(read(processor, stream(start, ...text, ...end('end_turn'))))).toEqual(['deltas']);
    expect(processor.push(result())).toMatchObject([{ kind: 'finished', answer: { text: 'Done.' } }]);
  });

  it('finishes at once where the answer was cut short', () =>
    expect(kinds(read(new MessageProcessor(), stream(start, ...text, ...end('max_tokens'))))).toEqual([
      'deltas',
      'finished',
    ]));

  it('S4-32: adds what the engine spent beside the answers', () => {
    const processor = new MessageProcessor();
    read(processor, stream(start, ...text, ...end('end_turn')));
    expect(processor.push(result({ modelUsage: usage(14, 6) }))).toMatchObject([
      { answer: { usage: { input_tokens: 14, output_tokens: 6, total_tokens: 20 } } },
    ]);
  });

  it.each([
    ['the answers', usage(10, 5)],
    ['less than the answers', usage(9, 1)],
    ['no sums', undefined],
  ])('leaves the usage of an answer where the engine reports %s', (_case, modelUsage) => {
    const processor = new MessageProcessor();
    read(processor, stream(start, ...text, ...end('end_turn')));
    expect(processor.push(result({ modelUsage }))).toMatchObject([
      { answer: { usage: { input_tokens: 10, output_tokens: 5 } } },
    ]);
  });

  it('S4-26: takes outputs that it has been asked for, and finds a divergence in any other', () => {
    const processor = new MessageProcessor();
    const output = (id: string) => ({
      ...{ type: 'user', parent_tool_use_id: null },
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
    });
    processor.outputAsked('call_1');
    expect(processor.push(output('call_1'))).toEqual([]);
    expect(processor.push(output('call_2'))).toEqual([{ kind: 'diverged' }]);
  });

  it('S4-37: reports a failure by the word of the engine', () => {
    const processor = new MessageProcessor();
    const said = { content: [{ type: 'text', text: 'API Error: 429' }] };
    expect(processor.push({ type: 'assistant', message: said, error: 'rate_limit' })).toEqual([]);
    expect(processor.push(result({ is_error: true }))).toEqual([
      { kind: 'failed', word: 'rate_limit', text: 'API Error: 429' },
    ]);
  });

  it('reports a result without an answer', () =>
    expect(
      new MessageProcessor().push(
        result({ is_error: true, subtype: 'error_during_execution', errors: ['a', 'b'] }),
      ),
    ).toEqual([{ kind: 'failed', word: 'error_during_execution', text: 'a; b' }]));

  it('leaves messages of sub-agents inside the engine out of the answer', () => {
    const inner = stream(start, ...text, ...end('end_turn')).map((one) => ({
      ...one,
      parent_tool_use_id: 'call_1',
    }));
    expect(read(new MessageProcessor(), inner)).toEqual([]);
  });

  it('keeps messages of unknown types as they came', () => {
    const processor = new MessageProcessor();
    const odd = [{ type: 'rate_limit_event', left: 1 }, { type: 'result' }, null, 'text'];
    expect(read(processor, odd)).toEqual([]);
    expect(processor.unknown).toEqual(odd);
  });
});
