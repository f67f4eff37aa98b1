import { beforeEach, expect, it } from '@jest/globals';
import type { CallDecision } from '#libs/executions';
import { v7 as uuid } from 'uuid';
import { DISPATCH_OPTIONS } from '../../integration/persistence/persistence-world.js';
import { aPendingCall, ExecutionSteps, type Accepted } from './execution-steps.js';
import type { ExecutionsBackend } from './executions-backend.js';

const ANN = { keyId: 'k1', person: 'ann@example.com' };
const yes = (call: string): CallDecision => ({ call, approved: true, reason: 'fine' });
const no = (call: string): CallDecision => ({ call, approved: false, reason: 'too dear' });
const happened = (call: string): CallDecision => ({
  call,
  report: { kind: 'happened', output: 'paid' },
  reason: 'seen',
});

/** Contract of `DecisionStore` that every backend keeps: a person's decisions over parked tool calls. */
export function describeDecisions(start: () => Promise<ExecutionsBackend>): void {
  let backend: ExecutionsBackend;
  let steps: ExecutionSteps;
  let waiting: Accepted;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
    const outcome = aPendingCall('2.1:1.0', { scope: '2.1', asks: 'outcome' });
    waiting = await steps.park(await steps.accept(), aPendingCall('1.0'), aPendingCall('1.1'), outcome);
  });

  const decide = (...decisions: CallDecision[]) =>
    backend.decisions.decide('default', waiting.id, decisions, ANN);
  const callsLeft = async (): Promise<string[]> => {
    const view = await backend.executions.find('default', waiting.id);
    return view?.required_action?.calls.map(({ call }) => call) ?? [];
  };

  it('finds nothing that there is not, or that another tenant has', async () => {
    expect(await backend.decisions.decide('default', uuid(), [yes('1.0')], ANN)).toEqual({
      kind: 'not_found',
    });
    expect(await backend.decisions.decide('other', waiting.id, [yes('1.0')], ANN)).toEqual({
      kind: 'not_found',
    });
    expect(await callsLeft()).toHaveLength(3);
  });

  it('decides nothing for executions that do not wait', async () => {
    const running = await steps.accept();
    const ended = await steps.complete();
    await steps.claim(running);
    for (const { id } of [running, ended])
      expect(await backend.decisions.decide('default', id, [yes('1.0')], ANN)).toEqual({
        kind: 'not_waiting',
      });
  });

  it.each<[string, CallDecision[], object]>([
    ['a call that does not wait', [yes('1.0'), yes('9.9')], { kind: 'unknown_calls', calls: ['9.9'] }],
    ['a call twice', [yes('1.0'), no('1.0')], { kind: 'unknown_calls', calls: ['1.0'] }],
    ['an approval as an outcome', [yes('1.1'), happened('1.0')], { kind: 'wrong_kind', calls: ['1.0'] }],
    ['an outcome as an approval', [yes('1.0'), yes('2.1:1.0')], { kind: 'wrong_kind', calls: ['2.1:1.0'] }],
  ])('takes none of the decisions when one names %s', async (_what, decisions, refusal) => {
    expect(await decide(...decisions)).toEqual(refusal);
    expect([await callsLeft(), await backend.facts(waiting.id)]).toEqual([['1.0', '1.1', '2.1:1.0'], []]);
  });

  it('notes each decision as a fact, and goes on with the last one', async () => {
    expect(await decide(yes('1.0'))).toEqual({ kind: 'decided', isRunnable: false });
    expect([await callsLeft(), await steps.statusOf(waiting)]).toEqual([
      ['1.1', '2.1:1.0'],
      'requires_action',
    ]);
    expect(await decide(yes('1.0'))).toEqual({ kind: 'decided', isRunnable: false });
    expect(await decide(no('1.0'))).toEqual({ kind: 'decided_otherwise', calls: ['1.0'] });
    expect(await backend.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
    expect(await decide(no('1.1'), happened('2.1:1.0'))).toEqual({ kind: 'decided', isRunnable: true });
    expect([await callsLeft(), await steps.statusOf(waiting)]).toEqual([[], 'queued']);
    const by = { by: ANN, decidedAt: expect.any(Number) };
    expect(await backend.facts(waiting.id)).toEqual([
      { kind: 'approval_decided', round: 1, position: 0, approved: true, reason: 'fine', ...by },
      { kind: 'approval_decided', round: 1, position: 1, approved: false, reason: 'too dear', ...by },
      {
        ...{ kind: 'outcome_reported', scope: '2.1', round: 1, position: 0, reason: 'seen', ...by },
        report: { kind: 'happened', output: 'paid' },
      },
    ]);
    expect(await backend.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: waiting.id }]);
    expect(await steps.claim(waiting)).toMatchObject({ attempt: 2, isCancelled: false });
  });

  it('takes the same decision again, however far the execution has come, and no other one', async () => {
    const all = [yes('1.0'), no('1.1'), happened('2.1:1.0')];
    await decide(...all);
    const before = await backend.facts(waiting.id);
    expect(await decide(...all)).toEqual({ kind: 'decided', isRunnable: true });
    await steps.claim(waiting);
    expect(await decide(...all)).toMatchObject({ kind: 'decided' });
    expect(await decide(yes('1.0'), yes('1.1'))).toEqual({ kind: 'decided_otherwise', calls: ['1.1'] });
    expect(await backend.facts(waiting.id)).toEqual(before);
    expect(await steps.statusOf(waiting)).toBe('running');
  });
}
