import { describe, expect, it } from '@jest/globals';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { foldEntries } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import { projectRunSteps, type RunStep } from './run-step.js';

const asked = (args: unknown): JournalEntry => ({
  kind: 'model_call_completed',
  round: 1,
  answer: aModelAnswer({ toolCalls: [aCall('search', 'c1', args)] }),
  latencyMs: 1,
});
const started: JournalEntry = { kind: 'tool_call_started', round: 1, position: 0 };
const result = { status: 'success', result: { message: 'found', id: 7 } };
const settled = (outcome: Extract<JournalEntry, { kind: 'tool_call_settled' }>['outcome']): JournalEntry => ({
  kind: 'tool_call_settled',
  round: 1,
  position: 0,
  outcome,
});

/** The rows that the last of these facts asks for. */
function stepsAfter(...entries: readonly JournalEntry[]): RunStep[] {
  return projectRunSteps(entries.slice(-1), foldEntries(entries));
}

describe('the audit row of a call', () => {
  it('is written before the call runs, without an output (S2-31)', () => {
    expect(stepsAfter(asked({ query: 'toms' }), started)).toMatchObject([
      { toolName: 'search', callId: 'c1', input: { query: 'toms' }, output: null, status: 'started' },
    ]);
  });

  it('is written again with what came of it (S2-6, S2-31)', () => {
    const outcome = { status: 'succeeded', output: JSON.stringify(result), result } as const;
    expect(stepsAfter(asked({ query: 'toms' }), started, settled(outcome))).toMatchObject([
      { callId: 'c1', output: result, status: 'succeeded' },
    ]);
  });

  it.each([
    ['an object, where it is one', '{"query": "toms"}', { query: 'toms' }],
    ['the text as it was written, where it cannot be read', '{"query": ', '{"query": '],
    ['the text as it was written, where it is no object', '[1]', '[1]'],
  ])('has as its input %s (S2-32)', (_what, args, input) => {
    expect(stepsAfter(asked(args), started)[0]?.input).toEqual(input);
  });

  it('has a result as its output also where the call did not run (S2-32)', () => {
    const outcome = { status: 'refused', reason: 'unknown_tool', output: 'there is no such tool' } as const;
    expect(stepsAfter(asked({}), settled(outcome))[0]?.output).toEqual({
      status: 'error',
      result: { message: 'there is no such tool' },
    });
  });
});
