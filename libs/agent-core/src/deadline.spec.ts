import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf } from '../../../test/support/fakes/loop-world.js';
import { ScriptedModel } from '../../../test/support/fakes/scripted-model.js';
import { ModelCallError } from './ports/model-call-error.js';
import { runAgentLoop } from './run-agent-loop.js';

const context = anExecutionContext();

describe('an execution', () => {
  it('is late when its timer fires, independent of any clock: nothing more begins, and the text so far stays', async () => {
    let calls = 0;
    const world = new LoopWorld({
      call: (_request, onDelta) => {
        calls += 1;
        if (calls > 1) return Promise.reject(new Error('aborted before it began'));
        onDelta({ kind: 'text', content: 'so far' });
        world.stop('deadline');
        return Promise.reject(new Error('aborted'));
      },
    });
    world.now = -3_600_000;
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(calls).toBe(1);
    const how = { startedAt: -3_600_000, durationMs: 0, firstByteMs: 0, tryNumber: 1 };
    expect(world.journal.entries).toEqual([
      { kind: 'model_call_interrupted', round: 1, text: 'so far', model: 'a-model', ...how },
      { kind: 'deadline_reached' },
      {
        kind: 'execution_settled',
        outcome: { status: 'incomplete', reason: 'timeout', text: 'so far' },
      },
    ]);
  });

  it('is not late while the signal is silent, however far a clock has been put forward', async () => {
    const world = new LoopWorld({
      call: () => {
        world.now = 3_600_000;
        return Promise.resolve(aModelAnswer({ text: 'done' }));
      },
    });
    expect(await runAgentLoop(context, rulesOf(), world.ports, world.signals)).toMatchObject({
      kind: 'settled',
      outcome: { status: 'completed', text: 'done' },
    });
  });

  it('does not call the model again when its time ends while it waits for the next try', async () => {
    const world = new LoopWorld(
      new ScriptedModel([new ModelCallError({ reason: 'down', message: 'down', retryable: true })]),
    );
    const { ports, signals } = world;
    const wait = (): Promise<void> => {
      world.stop('deadline');
      return Promise.resolve();
    };
    const result = await runAgentLoop(context, rulesOf(), { ...ports, wait }, signals);
    expect(result).toMatchObject({ outcome: { status: 'incomplete', reason: 'timeout' } });
    expect((world.model as ScriptedModel).requests).toHaveLength(1);
  });

  it('ends as the refusal of its provider where it waited until its time was up', async () => {
    const message = '[429] Rate limit reached for requests per day (code=rate_limit_exceeded)';
    const refusal = new ModelCallError({
      reason: 'rate_limited',
      message,
      retryable: true,
      retryAfterMs: 86_400_000,
    });
    const world = new LoopWorld(new ScriptedModel([refusal]));
    const { ports, signals } = world;
    const wait = (): Promise<void> => {
      world.stop('deadline');
      return Promise.resolve();
    };
    const result = await runAgentLoop(context, rulesOf(), { ...ports, wait }, signals);
    expect(result).toMatchObject({ outcome: { status: 'failed', error: { code: 'RATE_LIMITED', message } } });
  });

  it('ends as the refusal of its provider where every try was refused', async () => {
    const refusal = () =>
      new ModelCallError({ reason: 'rate_limited', message: '[429] slow down', retryable: true });
    const world = new LoopWorld(new ScriptedModel([refusal(), refusal()]));
    const result = await runAgentLoop(context, rulesOf({ maxModelRetries: 1 }), world.ports, world.signals);
    expect(result).toMatchObject({ outcome: { status: 'failed', error: { code: 'RATE_LIMITED' } } });
  });

  it('gives new time to what a person has decided', async () => {
    const world = new LoopWorld(
      new ScriptedModel([
        aModelAnswer({ toolCalls: [aCall('charge', 'c')] }),
        aModelAnswer({ text: 'done' }),
      ]),
    );
    world.tools.onRun = () => {
      world.stop('deadline');
      return null;
    };
    expect(await runAgentLoop(context, rulesOf({}, 'ask'), world.ports, world.signals)).toMatchObject({
      kind: 'parked',
    });
    const report = { kind: 'happened', output: null } as const;
    world.journal.decide({ kind: 'outcome_reported', round: 1, position: 0, report, reason: '' });
    const signals = { ...world.signals, abort: new AbortController().signal };
    expect(await runAgentLoop(context, rulesOf({}, 'ask'), world.ports, signals)).toMatchObject({
      outcome: { status: 'completed' },
    });
  });
});
