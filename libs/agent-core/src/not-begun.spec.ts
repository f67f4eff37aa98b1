import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf, succeeded } from '../../../test/support/fakes/loop-world.js';
import { ScriptedModel } from '../../../test/support/fakes/scripted-model.js';
import type { Journal, JournalBatch } from './ports/journal.js';
import { runAgentLoop, type LoopResult } from './run-agent-loop.js';
import { settleFailed } from './settle-from-outside.js';

const kinds = (world: LoopWorld) => world.journal.entries.map((entry) => entry.kind);
const BEFORE_CALL = ['model_call_completed', 'tool_call_started', 'tool_call_not_begun'];

/** Requests an unsafe call and runs `stop` right after its intent was committed. */
async function stopAfterIntent(
  stop: (world: LoopWorld) => void,
): Promise<{ world: LoopWorld; result: LoopResult }> {
  const world = new LoopWorld(
    new ScriptedModel([aModelAnswer({ toolCalls: [aCall('charge', 'c')] }), aModelAnswer({ text: 'done' })]),
  );
  const { journal } = world;
  const append = async (batch: JournalBatch): Promise<void> => {
    await journal.append(batch);
    if (batch.entries.some((entry) => entry.kind === 'tool_call_started')) stop(world);
  };
  const stopping: Journal = new Proxy<Journal>(journal, {
    get: (target, name) => {
      if (name === 'append') return append;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const ports = { ...world.ports, journal: stopping };
  const result = await runAgentLoop(anExecutionContext(), rulesOf(), ports, world.signals);
  return { world, result };
}

describe('an unsafe call whose intent is committed, and which never began because its attempt', () => {
  it.each<[string, (world: LoopWorld) => void]>([
    ['was drained', (world) => world.drain.abort()],
    ['had lost its lease, as far as it knew', (world) => world.stop('lease_lost')],
  ])('%s, runs in the next attempt, once', async (_why, stop) => {
    const { world, result } = await stopAfterIntent(stop);
    expect(result).toEqual({ kind: 'interrupted' });
    expect(world.tools.runs.size).toBe(0);
    expect(kinds(world)).toEqual(BEFORE_CALL);

    world.journal.revive();
    const signals = { drain: new AbortController().signal, abort: new AbortController().signal };
    const next = await runAgentLoop(anExecutionContext({ attempt: 2 }), rulesOf(), world.ports, signals);
    expect(next).toMatchObject({ outcome: { status: 'completed', text: 'done' } });
    expect([...world.tools.runs]).toEqual([['1.0', 1]]);
  });

  it.each([
    ['cancelled', { status: 'cancelled' }],
    ['deadline', { status: 'incomplete', reason: 'timeout' }],
  ] as const)('was stopped (%s), is not called unknown', async (reason, outcome) => {
    const { world, result } = await stopAfterIntent((at) => at.stop(reason));
    expect(result).toMatchObject({ kind: 'settled', outcome });
    expect(world.tools.runs.size).toBe(0);
    expect(world.journal.steps.get('1.0')?.status).toBe('refused');
  });

  it('is left to the next attempt after the lease was lost', async () => {
    const { world, result } = await stopAfterIntent((at) => {
      at.journal.execution.claim();
      at.stop('lease_lost');
    });
    expect(result).toEqual({ kind: 'interrupted' });
    expect(kinds(world)).toEqual(BEFORE_CALL.slice(0, 2));
  });
});

it('a call that never began is closed in the audit, too, where its execution is given up from outside', async () => {
  const { world } = await stopAfterIntent(({ drain }) => drain.abort());
  world.journal.revive();
  await settleFailed(world.journal, rulesOf(), { code: 'POISONED', message: 'given up' }, null, () => true);
  expect(world.journal.steps.get('1.0')).toMatchObject({ status: 'refused' });
});

describe('one call of a marked batch of repeatable calls, not begun because its attempt', () => {
  const ASKED = [aCall('upsert', 'a'), aCall('upsert', 'b'), aCall('search', 'c')];

  /** Runs the calls one at a time and stops during the first. */
  async function stopInFirst(
    stop: (world: LoopWorld) => void,
  ): Promise<{ world: LoopWorld; result: LoopResult }> {
    const world = new LoopWorld(
      new ScriptedModel([aModelAnswer({ toolCalls: ASKED }), aModelAnswer({ text: 'done' })]),
    );
    world.tools.onRun = () => {
      stop(world);
      return succeeded('first');
    };
    const rules = rulesOf({ maxParallelToolCalls: 1 });
    const result = await runAgentLoop(anExecutionContext(), rules, world.ports, world.signals);
    return { world, result };
  }

  it.each([
    ['cancelled', { status: 'cancelled' }],
    ['deadline', { status: 'incomplete', reason: 'timeout' }],
  ] as const)('was stopped (%s), is not called unknown', async (reason, outcome) => {
    const { world, result } = await stopInFirst((at) => at.stop(reason));
    expect(result).toMatchObject({ kind: 'settled', outcome });
    expect([...world.tools.runs.keys()]).toEqual(['1.0']);
    const statuses = ['1.0', '1.1', '1.2'].map((call) => world.journal.steps.get(call)?.status);
    expect(statuses).toEqual(['succeeded', 'refused', 'refused']);
  });

  it.each<[string, (world: LoopWorld) => void]>([
    ['was drained', (world) => world.drain.abort()],
    ['had lost its lease, as far as it knew', (world) => world.stop('lease_lost')],
  ])('%s, is known not to have begun', async (_why, stop) => {
    const { world } = await stopInFirst(stop);
    const notBegun = world.journal.entries.filter((entry) => entry.kind === 'tool_call_not_begun');
    expect(notBegun.map(({ position }) => position)).toEqual([1, 2]);
  });
});
