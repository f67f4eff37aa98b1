import { describe, expect, it } from '@jest/globals';
import type { PendingCall } from '#libs/payloads';
import { aSubmission } from '../../../../test/support/builders/submission.js';
import { ExecutionsAtWork } from '../../../../test/support/fakes/executions-at-work.js';
import { decideCalls } from './decide-calls.js';
import { decisionsOfNobody, judgeDecisions } from './judge-decisions.js';

const waiting = (call: string, asks: PendingCall['asks'] = 'approval'): PendingCall => ({
  ...{ call, asks, tool_name: 'charge', tool_input: {} },
});
const yes = (call: string) => ({ call, approved: true, reason: 'fine' });

async function aParkedExecution() {
  const work = new ExecutionsAtWork();
  const { executionId: id } = aSubmission();
  await work.intake.accept(aSubmission({ executionId: id }));
  await work.claim(id);
  work.find(id).park([waiting('1.0'), waiting('1.1')]);
  const decide = (...calls: string[]) => decideCalls(work, 'default', id, calls.map(yes));
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
    expect(await decideCalls(work, 'other', 'nothing', [])).toEqual({ kind: 'not_found' });
    expect(work.triggers).toBe(0);
  });
});

describe('calls that an older release parked', () => {
  const { asks: _asks, ...old } = waiting('1.0');

  it('ask for approval without saying so', () => {
    expect(judgeDecisions([old], [yes('1.0')])).toMatchObject({ kind: 'taken', left: [] });
    const report = { call: '1.0', report: { kind: 'unknown' }, reason: '' } as const;
    expect(judgeDecisions([old], [report])).toEqual({ kind: 'wrong_kind', calls: ['1.0'] });
  });
});

describe('what follows when nobody decides', () => {
  it('is that nothing is approved, and what is unknown stays so', () => {
    const calls = [waiting('1.0'), waiting('1.1', 'outcome')];
    const decisions = decisionsOfNobody(calls, 'too late');
    expect(decisions).toEqual([
      { call: '1.0', approved: false, reason: 'too late' },
      { call: '1.1', report: { kind: 'unknown' }, reason: 'too late' },
    ]);
    expect(judgeDecisions(calls, decisions)).toMatchObject({ kind: 'taken', left: [] });
  });
});
