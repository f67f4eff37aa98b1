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
const STARTED: JournalEntry = { kind: 'tool_call_started', round: 1, position: 0, effect: 'read' };
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
      effect: 'read',
      input: { where: 'here' },
      sentInput: null,
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
      output: { status: 'success', result: { ...result.result, text: 'short' } },
      startedAt: 5_000,
      finishedAt: 5_040,
      error: null,
    });
  });

  it('has failed where the tool answered an error, which is no fault of it (S4-26)', () => {
    const result = { status: 'error', result: { message: 'no such parcel' } };
    const outcome = { status: 'succeeded', output: JSON.stringify(result), result } as const;
    const step = stepOf([asked({}), STARTED, settled(outcome)]);
    expect(step).toMatchObject({ status: 'failed', output: result, error: null });
  });

  it('has the failure, for operators only', () => {
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

describe('contents of the audit row', () => {
  const result = { status: 'success', result: { message: 'found', id: 7 } };
  const succeeded = { status: 'succeeded', output: JSON.stringify(result), result } as const;

  it('is written before the call runs, without an output (S2-31)', () => {
    const step = projectRunSteps([STARTED], foldEntries([asked({ where: 'here' }), STARTED]))[0];
    expect(step).toMatchObject({ input: { where: 'here' }, output: null, status: 'started' });
  });

  it('is written again with what came of it (S2-6, S2-31)', () => {
    const step = stepOf([asked({}), STARTED, settled(succeeded)]);
    expect(step).toMatchObject({ output: result, status: 'succeeded' });
  });

  it.each([
    ['an object, where it is one', '{"where": "here"}', { where: 'here' }],
    ['the text as it was written, where it cannot be read', '{"where": ', '{"where": '],
    ['the text as it was written, where it is no object', '[1]', '[1]'],
  ])('has as its input %s (S2-32)', (_what, args, input) => {
    expect(stepOf([asked(args), STARTED])?.input).toEqual(input);
  });

  it('has as its input what ran, and beside it what the model wrote', () => {
    const call = { ...aCall('look', 'c7', { a: 1 }), written: "{'a': 1}" };
    const entry = { ...asked({}), answer: aModelAnswer({ toolCalls: [call] }) } as JournalEntry;
    expect(stepOf([entry, STARTED])).toMatchObject({ input: { a: 1 }, sentInput: "{'a': 1}" });
  });

  it('has a result as its output also where the call did not run (S2-32)', () => {
    expect(stepOf([asked({}), settled({ status: 'refused', output: 'no such tool' })])?.output).toEqual({
      status: 'error',
      result: { message: 'no such tool' },
    });
  });
});
