import { describe, expect, it } from '@jest/globals';
import { foldEntries } from '../execution-state.js';
import type { JournalEntry } from '../journal-entry.js';
import { lostModelCalls } from '../lost-model-call.js';

const begun = (round: number, step: string): JournalEntry => ({
  kind: 'step_begun',
  round,
  step,
  attempt: 1,
  calls: [{ callId: step, toolName: step, arguments: '{}' }],
});
const settled = (round: number): JournalEntry => ({
  kind: 'tool_call_settled',
  round,
  position: 0,
  outcome: { status: 'succeeded', output: '', result: {} },
});

describe('a pipeline that no attempt continues', () => {
  it.each<[string, JournalEntry[]]>([
    ['with a step that is over, and not yet recorded so', [begun(1, 'a'), settled(1)]],
    [
      'between two steps',
      [begun(1, 'a'), settled(1), { kind: 'step_settled', step: 'a', outcome: { status: 'skipped' } }],
    ],
    [
      'with a first step that was skipped',
      [{ kind: 'step_settled', step: 'a', outcome: { status: 'skipped' } }],
    ],
  ])('%s has asked no model itself (S3-35, S4-33)', (_what, facts) => {
    expect(lostModelCalls(foldEntries(facts), 'a-model')).toEqual([]);
  });

  it('may have lost the call of the model of a step', () => {
    const opened: JournalEntry = { kind: 'scope_opened', scope: '1.0', agentId: 1, name: 'a', input: '' };
    expect(lostModelCalls(foldEntries([begun(1, 'a'), opened]), 'a-model')).toEqual([
      { kind: 'model_call_lost', round: 1, model: 'unknown', scope: '1.0' },
    ]);
  });
});
