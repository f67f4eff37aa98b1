import { describe, expect, it } from '@jest/globals';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { foldEntries } from './execution-state.js';
import type { JournalEntry, ToolCallOutcome } from './journal-entry.js';
import { projectRunSteps } from './run-step.js';

const asked = (args: unknown): JournalEntry => ({
  kind: 'model_call_completed',
  round: 1,
  answer: aModelAnswer({ toolCalls: [aCall('look', 'c7', args)] }),
  latencyMs: 1,
});
const STARTED: JournalEntry = { kind: 'tool_call_started', round: 1, position: 0 };
const settled = (outcome: ToolCallOutcome): JournalEntry => ({
  kind: 'tool_call_settled',
  round: 1,
  position: 0,
  outcome,
  startedAt: 5_000,
  durationMs: 40,
});
const stepOf = (entries: JournalEntry[]) => projectRunSteps(entries, foldEntries(entries))[0];

describe('the audit row of a call (S4-14, S4-19)', () => {
  it('says what runs, with what, before it runs', () => {
    expect(stepOf([asked({ where: 'here' }), STARTED])).toEqual({
      scope: '',
      round: 1,
      position: 0,
      callId: 'c7',
      toolName: 'look',
      input: { where: 'here' },
      output: null,
      status: 'started',
      startedAt: null,
      finishedAt: null,
      error: null,
    });
  });

  it('says what came of it, whole, and how long it took', () => {
    const result = { status: 'success', result: { message: 'for the model', note: 'x'.repeat(9_000) } };
    const outcome = { status: 'succeeded', output: 'short', result } as const;
    expect(stepOf([asked({}), STARTED, settled(outcome)])).toMatchObject({
      status: 'succeeded',
      output: result,
      startedAt: 5_000,
      finishedAt: 5_040,
      error: null,
    });
  });

  it('says what went wrong, which nobody else reads', () => {
    const outcome = { status: 'failed', output: 'tool invoke error', error: 'Error: no route' } as const;
    expect(stepOf([asked({}), STARTED, settled(outcome)])).toMatchObject({
      status: 'failed',
      output: { status: 'error', result: { message: 'tool invoke error' } },
      error: 'Error: no route',
    });
  });

  it('keeps the arguments as they were written where they cannot be read', () => {
    const refused = settled({ status: 'refused', output: 'unreadable' });
    expect(stepOf([asked('{broken'), refused])).toMatchObject({ input: '{broken', status: 'refused' });
  });
});
