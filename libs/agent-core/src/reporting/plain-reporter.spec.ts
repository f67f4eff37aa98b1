import { describe, expect, it } from '@jest/globals';
import { aCall } from '../../../../test/support/builders/model-answer.js';
import { aRunnableCall } from '../../../../test/support/builders/tool-call.js';
import { RecordingSink } from '../../../../test/support/fakes/recording-sink.js';
import type { ToolCallOutcome } from '../journal-entry.js';
import { PlainReporter } from './plain-reporter.js';

function aReporter() {
  const sink = new RecordingSink();
  return { reporter: new PlainReporter(sink, 1), events: sink.events };
}

const succeeded = (output: string): ToolCallOutcome => ({ status: 'succeeded', output, result: null });

describe('events of a model call', () => {
  it('is its text, as it comes (S4-13, S4-23)', () => {
    const { reporter, events } = aReporter();
    reporter.delta(2, { kind: 'text', content: 'Hel' });
    reporter.delta(2, { kind: 'text', content: 'lo' });
    expect(events).toEqual([
      { event: 'text_delta', data: { content: 'Hel', round: 2 } },
      { event: 'text_delta', data: { content: 'lo', round: 2 } },
    ]);
  });

  it('is its thoughts, apart from its text (S4-25)', () => {
    const { reporter, events } = aReporter();
    reporter.delta(1, { kind: 'thinking', content: 'hm' });
    expect(events).toEqual([{ event: 'thinking', data: { content: 'hm', round: 1 } }]);
  });

  it('is nothing of a call that is still being written (S4-24)', () => {
    const { reporter, events } = aReporter();
    reporter.delta(1, { kind: 'tool_call' });
    expect(events).toEqual([]);
  });
});

describe('events of a tool call', () => {
  it('is that it runs, by the id of the model, with the input that it runs with (S4-14, S4-24)', () => {
    const { reporter, events } = aReporter();
    reporter.callBegins(aRunnableCall(aCall('look', 'c7', { as: 'written' }), { input: { as: 'read' } }));
    expect(events).toEqual([
      {
        event: 'tool_use',
        data: { tool_use_id: 'c7', tool_name: 'look', tool_input: { as: 'read' }, round: 1 },
      },
    ]);
  });

  it.each([
    ['of 500 characters whole', 'x'.repeat(500), 'x'.repeat(500)],
    ['of more cut', 'x'.repeat(501), `${'x'.repeat(500)}...`],
  ])('has a text %s (S4-24, 3.I-17)', (_name, text, shown) => {
    const { reporter, events } = aReporter();
    reporter.callBegins(aRunnableCall(undefined, { input: { deep: [{ text }], n: 1, no: null, is: true } }));
    const tool_input = { deep: [{ text: shown }], n: 1, no: null, is: true };
    expect(events).toMatchObject([{ event: 'tool_use', data: { tool_input } }]);
  });

  it('is its result, by the same id, and whether it is one (S4-14, S4-26)', () => {
    const { reporter, events } = aReporter();
    const call = aRunnableCall(aCall('look', 'c7'));
    reporter.callBegins(call);
    reporter.callEnds(call, succeeded('seen'), []);
    reporter.callEnds(call, { status: 'failed', output: 'no', error: 'for the audit' }, []);
    const error = { status: 'error', result: { code: 3 } };
    reporter.callEnds(call, { status: 'succeeded', output: 'not there', result: error }, []);
    const common = { tool_use_id: 'c7', tool_name: 'look', round: 1 };
    expect(events.slice(1)).toEqual([
      { event: 'tool_result', data: { ...common, result: 'seen', is_error: false } },
      { event: 'tool_result', data: { ...common, result: 'no', is_error: true } },
      { event: 'tool_result', data: { ...common, result: 'not there', is_error: true } },
    ]);
  });

  it('is both of one that never ran, with what the model wrote (S4-24, S4-26)', () => {
    const { reporter, events } = aReporter();
    const call = aRunnableCall(aCall('look', 'c7', '{broken'));
    reporter.callEnds(call, { status: 'refused', output: 'unreadable' }, []);
    expect(events).toMatchObject([
      { event: 'tool_use', data: { tool_input: '{broken' } },
      { event: 'tool_result', data: { result: 'unreadable', is_error: true } },
    ]);
  });

  it('is nothing of what its result says to the model (S2-20)', () => {
    const { reporter, events } = aReporter();
    const call = aRunnableCall();
    reporter.callBegins(call);
    const output = '{"status":"success","result":{"message":"Ask for the date next.","id":7}}';
    reporter.callEnds(call, succeeded(output), []);
    expect(events.at(-1)).toMatchObject({
      event: 'tool_result',
      data: { result: '{"status":"success","result":{"id":7}}' },
    });
    expect(JSON.stringify(events)).not.toContain('Ask for the date');
  });

  it.each([
    ['of 200 characters whole', 'x'.repeat(200), 'x'.repeat(200)],
    ['of more cut', 'x'.repeat(201), `${'x'.repeat(200)}...`],
  ])('has a result %s (S4-26, 3.I-17)', (_name, output, result) => {
    const { reporter, events } = aReporter();
    reporter.callEnds(aRunnableCall(), succeeded(output), []);
    expect(events.at(-1)).toMatchObject({ event: 'tool_result', data: { result } });
  });
});
