import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { WorkerDied } from '../../../test/support/fakes/in-memory-journal.js';
import { LoopWorld, rulesOf } from '../../../test/support/fakes/loop-world.js';
import { ScriptedModel } from '../../../test/support/fakes/scripted-model.js';
import { EMPTY_STATE, foldEntries } from './execution-state.js';
import { runAgentLoop, type LoopResult } from './run-agent-loop.js';

const SCRIPT = [
  aModelAnswer({ toolCalls: [aCall('search', 'c1'), aCall('charge', 'c2'), aCall('upsert', 'c3')] }),
  aModelAnswer({ toolCalls: [aCall('forbidden', 'c4'), aCall('charge', 'c5')] }),
  aModelAnswer({ text: 'all done' }),
];
const SAFE = ['1.0', '1.2'];
const UNSAFE = ['1.1', '2.1'];

async function run(world: LoopWorld, attempt: number): Promise<LoopResult | 'died'> {
  try {
    return await runAgentLoop(anExecutionContext({ attempt }), rulesOf(), world.ports, world.signals);
  } catch (error) {
    if (error instanceof WorkerDied) return 'died';
    throw error;
  }
}

async function commitsOfACalmRun(): Promise<number> {
  const world = new LoopWorld(new ScriptedModel(SCRIPT));
  await run(world, 1);
  return world.journal.commits;
}

describe('a worker dies, another carries on', () => {
  const commits = 6;

  it('covers every commit of the run', async () => expect(await commitsOfACalmRun()).toBe(commits));

  const deaths = Array.from({ length: commits }, (_, index) => index + 1).flatMap((at) => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ]);

  it.each(deaths)('$when commit $at', async ({ at, when }) => {
    const world = new LoopWorld(new ScriptedModel(SCRIPT));
    world.journal.dieAt(at, when);
    expect(await run(world, 1)).toBe('died');
    if (world.journal.revive()) await run(world, 2);

    expect(world.journal.settlements).toHaveLength(1);
    const { outcome } = foldEntries(world.journal.entries);
    const isUnknown = [...world.journal.steps.values()].some((step) => step.status === 'outcome_unknown');
    if (isUnknown)
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
    else expect(outcome).toEqual({ status: 'completed', text: 'all done' });

    for (const call of UNSAFE) expect(world.tools.runs.get(call) ?? 0).toBeLessThanOrEqual(1);
    if (!isUnknown)
      for (const call of [...SAFE, ...UNSAFE])
        expect(world.tools.runs.get(call) ?? 0).toBeGreaterThanOrEqual(1);
    expect(world.tools.runs.has('2.0')).toBe(false);

    const settled = world.journal.entries.flatMap((entry) =>
      entry.kind === 'tool_call_settled' ? [`${entry.round}.${entry.position}`] : [],
    );
    expect(new Set(settled).size).toBe(settled.length);
    const answered = world.journal.entries.flatMap((entry) =>
      entry.kind === 'model_call_completed' ? [entry.round] : [],
    );
    expect(answered).toEqual([...new Set(answered)]);
    const stepByStep = world.journal.entries.reduce(
      (state, entry) => foldEntries([entry], state),
      EMPTY_STATE,
    );
    expect(foldEntries(world.journal.entries)).toEqual(stepByStep);
  });
});
