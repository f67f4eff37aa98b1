import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { foldEntries } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import { buildModelRequest } from './prompt.js';

const argumentsSent = (written: string): unknown => {
  const entries: JournalEntry[] = [
    {
      kind: 'model_call_completed',
      round: 1,
      answer: aModelAnswer({ toolCalls: [aCall('look', 'c1', written)] }),
      latencyMs: 1,
    },
    { kind: 'tool_call_settled', round: 1, position: 0, outcome: { status: 'refused', output: 'no' } },
  ];
  const { messages } = buildModelRequest(anExecutionContext(), foldEntries(entries));
  const sent = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return JSON.parse(sent[0]?.arguments ?? '');
};

describe('the arguments of a call, as its model reads them again', () => {
  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a":1}{"a":2}', { unreadable_arguments: '{"a":1}{"a":2}' }],
    ['["Paris"]', { unreadable_arguments: '["Paris"]' }],
    ['null', { unreadable_arguments: 'null' }],
    ['Paris', { unreadable_arguments: 'Paris' }],
  ])('%j are an object that holds what it wrote', (written, sent) => {
    expect(argumentsSent(written)).toEqual(sent);
  });

  it('are cut where they are long and cannot be read', () => {
    const sent = JSON.stringify(argumentsSent('x'.repeat(300_000)));
    expect(sent.length).toBeLessThan(4_100);
    expect(sent).toContain('[the rest was cut off]');
  });
});
