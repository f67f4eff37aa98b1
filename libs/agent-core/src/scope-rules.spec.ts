import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf, succeeded } from '../../../test/support/fakes/loop-world.js';
import { SequenceModel } from '../../../test/support/fakes/scripted-model.js';
import type { LoopRules } from './loop-rules.js';
import { runAgentLoop } from './run-agent-loop.js';

/** Rules that count evaluations per call id. */
function countingRules(overrides: Partial<LoopRules> = {}): {
  rules: LoopRules;
  counts: Map<string, number>;
} {
  const counts = new Map<string, number>();
  const plain = rulesOf(overrides, 'inform');
  const evaluate: LoopRules['evaluate'] = (call) => {
    counts.set(call.callId, (counts.get(call.callId) ?? 0) + 1);
    return plain.evaluate(call);
  };
  return { rules: { ...plain, evaluate }, counts };
}

const once = (...callIds: string[]) => new Map(callIds.map((callId) => [callId, 1]));

describe('each call of a scope is judged once', () => {
  const rounds = [
    aModelAnswer({
      toolCalls: [aCall('search', 'ok'), aCall('charge', 'silent'), aCall('nonsense', 'refused')],
    }),
    aModelAnswer({ toolCalls: [aCall('upsert', 'failed'), aCall('search', 'again')] }),
    aModelAnswer({ toolCalls: [aCall('upsert', 'repeat'), aCall('charge', 'second')] }),
    aModelAnswer({ text: 'Done.' }),
  ];

  it('while it runs, ends in each way, and is compared with later ones', async () => {
    const world = new LoopWorld(new SequenceModel([...rounds]));
    world.tools.onRun = ({ toolName }) => {
      if (toolName === 'charge') return null;
      if (toolName === 'upsert') return { status: 'failed', output: 'it failed', error: 'Error' };
      return succeeded('ok');
    };
    const { rules, counts } = countingRules();
    const result = await runAgentLoop(anExecutionContext(), rules, world.ports, world.signals);
    expect(result).toMatchObject({ kind: 'settled', outcome: { status: 'completed' } });
    expect(counts).toEqual(once('ok', 'silent', 'refused', 'failed', 'again', 'repeat', 'second'));
  });

  it('while it waits for a person, and by the attempt that goes on', async () => {
    const world = new LoopWorld(new SequenceModel([...rounds]));
    const evaluate: LoopRules['evaluate'] = () => ({
      kind: 'run',
      effect: 'read',
      input: {},
      needsApproval: true,
    });
    const first = countingRules({ evaluate });
    const parked = await runAgentLoop(anExecutionContext(), first.rules, world.ports, world.signals);
    expect(parked.kind).toBe('parked');
    expect(first.counts).toEqual(once('ok', 'silent', 'refused'));
    world.journal.decide({ kind: 'approval_decided', round: 1, position: 0, approved: true, reason: '' });
    const second = countingRules({ evaluate });
    await runAgentLoop(anExecutionContext({ attempt: 2 }), second.rules, world.ports, world.signals);
    expect(second.counts).toEqual(first.counts);
  });

  it('which is not judged at all where it is one too many', async () => {
    const many = Array.from({ length: 70 }, (_, at) => aCall('search', `c${at}`));
    const world = new LoopWorld(new SequenceModel([aModelAnswer({ toolCalls: many }), ...rounds.slice(3)]));
    const { rules, counts } = countingRules();
    await runAgentLoop(anExecutionContext(), rules, world.ports, world.signals);
    expect(counts).toEqual(once(...many.slice(0, 64).map(({ callId }) => callId)));
  });
});
