import { describe, expect, it } from '@jest/globals';
import type { JournalEntry } from './journal-entry.js';
import type { RunStep } from './run-step.js';
import { unwrittenFacts } from './unwritten-facts.js';

const settled: JournalEntry = {
  kind: 'tool_call_settled',
  round: 1,
  position: 0,
  outcome: { status: 'failed', output: 'declined', error: 'declined' },
};
const started: JournalEntry = { kind: 'tool_call_started', round: 1, position: 1 };
const begun: JournalEntry = { kind: 'tool_call_started', round: 1, position: 0, repeatable: true };
const notBegun: JournalEntry = { kind: 'tool_call_not_begun', round: 1, position: 1 };
const ending: JournalEntry = { kind: 'execution_settled', outcome: { status: 'cancelled' } };
const stepOf = (position: number): RunStep => ({
  scope: '',
  round: 1,
  position,
  callId: `c${position}`,
  toolName: 'charge',
  effect: null,
  input: {},
  sentInput: null,
  output: null,
  status: 'started',
  startedAt: null,
  finishedAt: null,
  error: null,
});

describe('unwrittenFacts', () => {
  it.each<[string, JournalEntry[], JournalEntry[], JournalEntry[]]>([
    ['an outcome that has not landed', [settled], [], [settled]],
    ['an outcome that has', [settled], [settled], []],
    ['an intent that has not', [settled, started], [], [settled]],
    ['an intent that has not, of a read that has ended', [begun, settled], [], [begun, settled]],
    ['an intent that has', [settled, started], [settled, started], [notBegun]],
    ['an intent withdrawn by an earlier try', [settled, started], [settled, started, notBegun], []],
    ['an outcome written by an earlier try', [settled, started], [settled], []],
    ['an ending that has not landed', [settled, ending], [], [settled]],
    ['an ending that has', [settled, ending], [settled, ending], []],
  ])('%s', (_what, failed, landed, left) => {
    expect(unwrittenFacts({ entries: failed, runSteps: [] }, landed).entries).toEqual(left);
  });

  it('leaves out the audit row of a call that never began', () => {
    const failed = { entries: [settled, started], runSteps: [stepOf(0), stepOf(1)] };
    expect(unwrittenFacts(failed, []).runSteps).toEqual([stepOf(0)]);
    expect(unwrittenFacts(failed, failed.entries).runSteps).toEqual([]);
  });

  it('has one audit row for a read that began and ended in two batches, the last one', () => {
    const ended: RunStep = { ...stepOf(0), status: 'failed', error: 'declined' };
    const failed = { entries: [begun, settled], runSteps: [stepOf(0), ended] };
    expect(unwrittenFacts(failed, []).runSteps).toEqual([ended]);
  });
});
