import { describe, expect, it } from '@jest/globals';
import { LeaseLostError, type Journal, type JournalEntry, type Settlement } from '#libs/agent-core';
import { toExecutionResult, type ExecutionView } from '#libs/payloads';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { anExecutionView } from '../../../../test/support/builders/execution-view.js';
import type { Measurement } from '../ports/execution-meter.js';
import { MeasuredJournal } from './measured-journal.js';

const CALL = { round: 1, position: 0 };
const SETTLED: JournalEntry = {
  kind: 'tool_call_settled',
  ...CALL,
  outcome: { status: 'outcome_unknown', output: '?' },
};
const ASKED: JournalEntry = { kind: 'outcome_asked', ...CALL };
const STARTED: JournalEntry = { kind: 'tool_call_started', ...CALL };
const CALLED = {
  ...{ scope: '', purpose: 'round', round: 1, tryNumber: 1, state: 'known', agentId: null, model: 'm' },
  ...{ responseId: null, tokens: null, costUsd: '0.5' },
} as const;
const VIEW: Partial<ExecutionView> = {
  status: 'incomplete',
  incomplete_details: { reason: 'budget' },
  usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10, total_cost_usd: '0.5' },
};

/** A journal that accepts all writes, or refuses all of them. */
function world(refusal: Error | null = null) {
  const answer = <T>(value: T): Promise<T> => (refusal ? Promise.reject(refusal) : Promise.resolve(value));
  const known = { num_turns: 1, session_id: null, title_pending: false };
  const journal = {
    append: () => answer(undefined),
    park: () => answer(anExecutionView()),
    settle: () => answer(toExecutionResult(anExecutionView(VIEW), known)),
  } as unknown as Journal;
  const measured: Measurement[] = [];
  const lines: object[] = [];
  const note = (line: object): void => void lines.push(line);
  const meter = { record: (measurement: Measurement) => void measured.push(measurement) };
  const logger = { info: note, warn: note, error: note };
  return { measured, lines, journal: new MeasuredJournal(journal, aClaim(), meter, logger) };
}

const settlement = { usage: [CALLED] } as unknown as Settlement;

describe('a measured journal', () => {
  it('counts calls that are over and calls that a person is asked about, and no others', async () => {
    const { journal, measured } = world();
    await journal.append({ entries: [STARTED, SETTLED], runSteps: [] });
    await journal.park({ entries: [ASKED], runSteps: [] }, []);
    expect(measured).toEqual([
      { kind: 'tool_calls', outcomes: ['outcome_unknown'] },
      { kind: 'outcomes_asked', count: 1 },
    ]);
  });

  it('counts how an execution ended, what its models were asked, and the last calls', async () => {
    const { journal, measured } = world();
    await journal.settle({ entries: [SETTLED], runSteps: [] }, settlement);
    expect(measured).toEqual([
      { kind: 'tool_calls', outcomes: ['outcome_unknown'] },
      {
        kind: 'model_calls',
        calls: [{ purpose: 'round', state: 'known', model: 'm', tokens: null, costUsd: '0.5' }],
      },
      { kind: 'settled', status: 'incomplete', reason: 'budget', waitSeconds: 1, totalSeconds: 3.5 },
    ]);
  });

  it('writes one line of an execution, without any content', async () => {
    const { journal, lines } = world();
    await journal.settle({ entries: [], runSteps: [] }, settlement);
    expect(lines).toEqual([
      {
        executionId: '0190a000-0000-7000-8000-000000000001',
        tenantId: 'default',
        agentId: 1,
        sessionId: '0190a000-0000-7000-8000-0000000000aa',
        turn: 1,
        attempt: 1,
        status: 'incomplete',
        reason: 'budget',
        waitMs: 1_000,
        totalMs: 3_500,
        rounds: 1,
        inputTokens: 7,
        outputTokens: 3,
        costUsd: '0.5',
      },
    ]);
  });

  it('counts nothing that was not committed', async () => {
    const lost = new LeaseLostError('x', 1);
    const { journal, measured, lines } = world(lost);
    const batch = { entries: [SETTLED, ASKED], runSteps: [] };
    await expect(journal.append(batch)).rejects.toBe(lost);
    await expect(journal.park(batch, [])).rejects.toBe(lost);
    await expect(journal.settle(batch, settlement)).rejects.toBe(lost);
    expect([measured, lines]).toEqual([[], []]);
  });
});
