import { describe, expect, it } from '@jest/globals';
import type { DecisionFact } from '#libs/agent-core';
import type { PendingCall } from '#libs/payloads';
import { aSubmission } from '../../../../test/support/builders/submission.js';
import { ExecutionsAtWork } from '../../../../test/support/fakes/executions-at-work.js';
import type { CallDecision } from '../ports/decision-store.js';
import { decideCalls } from './decide-calls.js';
import { timeoutDecisions, evaluateDecisions } from './evaluate-decisions.js';

const waiting = (call: string, asks: PendingCall['asks'] = 'approval'): PendingCall => ({
  ...{ call, asks, tool_name: 'charge', tool_input: {} },
});
const ANN = { keyId: 'k1', person: 'ann' };
const ORIGIN = { by: ANN, decidedAt: 1_000 };
const yes = (call: string) => ({ call, approved: true, reason: 'fine' });

async function aParkedExecution() {
  const work = new ExecutionsAtWork();
  const { executionId: id } = aSubmission();
  await work.acceptances.accept(aSubmission({ executionId: id }));
  await work.claim(id);
  work.find(id).park([waiting('1.0'), waiting('1.1')]);
  const decide = (...calls: string[]) => decideCalls(work, 'default', id, calls.map(yes), ANN);
  return { work, id, decide };
}

describe('deciding over waiting calls', () => {
  it('lets the execution go on with the last decision, and not before', async () => {
    const { work, id, decide } = await aParkedExecution();
    expect(await decide('1.0')).toMatchObject({
      kind: 'decided',
      view: { id, status: 'requires_action', required_action: { calls: [{ call: '1.1' }] } },
    });
    expect([work.triggers, await work.due()]).toEqual([0, []]);
    expect(await decide('1.1')).toMatchObject({ kind: 'decided', view: { status: 'queued' } });
    expect([work.triggers, await work.due()]).toEqual([1, [id]]);
  });

  it('passes on why nothing was decided, and sends nothing', async () => {
    const { work, decide } = await aParkedExecution();
    expect(await decide('9.9')).toEqual({ kind: 'unknown_calls', calls: ['9.9'] });
    expect(await decideCalls(work, 'other', 'nothing', [], ANN)).toEqual({ kind: 'not_found' });
    expect(work.triggers).toBe(0);
  });
});

describe('decisions that were taken before', () => {
  const at = { round: 1, position: 0, reason: 'fine' };
  const taken: readonly DecisionFact[] = [{ kind: 'approval_decided', approved: true, ...at }];
  const evaluate = (waiting: readonly PendingCall[] | null, ...decisions: CallDecision[]) =>
    evaluateDecisions({ waiting, taken }, decisions, ORIGIN);
  const reported: CallDecision = { call: '1.0', report: { kind: 'happened', output: null }, reason: '' };

  it.each<[string, CallDecision, readonly PendingCall[] | null, object]>([
    ['the same once more', yes('1.0'), null, { kind: 'taken', facts: [], left: [] }],
    ['the same while others wait', yes('1.0'), [waiting('1.1')], { kind: 'taken', facts: [] }],
    ['the opposite', { ...yes('1.0'), approved: false }, null, { kind: 'decided_otherwise', calls: ['1.0'] }],
    ['another reason', { ...yes('1.0'), reason: '' }, null, { kind: 'decided_otherwise', calls: ['1.0'] }],
    ['an outcome that is not asked for', reported, null, { kind: 'wrong_kind', calls: ['1.0'] }],
    ['a call that no person was asked about', yes('2.0'), null, { kind: 'not_waiting' }],
    [
      'the same while its outcome is asked',
      yes('1.0'),
      [waiting('1.0', 'outcome')],
      { kind: 'taken', facts: [] },
    ],
    ['the outcome that is asked', reported, [waiting('1.0', 'outcome')], { kind: 'taken', left: [] }],
  ])('are compared with what is sent: %s', (_what, decision, calls, verdict) => {
    expect(evaluate(calls, decision)).toMatchObject(verdict);
  });

  it('are left out beside new ones, which say by whom and when', () => {
    expect(evaluate([waiting('1.1')], yes('1.0'), yes('1.1'))).toEqual({
      kind: 'taken',
      facts: [{ kind: 'approval_decided', approved: true, ...at, position: 1, ...ORIGIN }],
      left: [],
    });
  });
});

describe('calls that an older release parked', () => {
  const { asks: _asks, ...old } = waiting('1.0');

  it('ask for approval without saying so', () => {
    expect(evaluateDecisions({ waiting: [old], taken: [] }, [yes('1.0')], ORIGIN)).toMatchObject({
      kind: 'taken',
      left: [],
    });
    const report = { call: '1.0', report: { kind: 'unknown' }, reason: '' } as const;
    expect(evaluateDecisions({ waiting: [old], taken: [] }, [report], ORIGIN)).toEqual({
      kind: 'wrong_kind',
      calls: ['1.0'],
    });
  });
});

describe('decisions after the timeout', () => {
  it('is that nothing is approved, and what is unknown stays so', () => {
    const calls = [waiting('1.0'), waiting('1.1', 'outcome')];
    const decisions = timeoutDecisions(calls, 'too late');
    expect(decisions).toEqual([
      { call: '1.0', approved: false, reason: 'too late' },
      { call: '1.1', report: { kind: 'unknown' }, reason: 'too late' },
    ]);
    expect(evaluateDecisions({ waiting: calls, taken: [] }, decisions, ORIGIN)).toMatchObject({
      kind: 'taken',
      left: [],
    });
  });
});
