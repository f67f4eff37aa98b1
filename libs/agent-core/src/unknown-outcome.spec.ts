import { describe, expect, it } from '@jest/globals';
import type { OnUnknown } from '#libs/tooling';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { WorkerDied } from '../../../test/support/fakes/in-memory-journal.js';
import { LoopWorld, rulesOf, succeeded } from '../../../test/support/fakes/loop-world.js';
import { ScriptedModel } from '../../../test/support/fakes/scripted-model.js';
import type { OutcomeReport } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import { runAgentLoop, type LoopResult } from './run-agent-loop.js';
import type { StopReason } from './stop-reason.js';

/** The model calls these tools in the first round and answers in the second. */
function worldThatAsksFor(...tools: string[]): LoopWorld {
  const calls = tools.map((name, index) => aCall(name, `c${index}`));
  return new LoopWorld(
    new ScriptedModel([aModelAnswer({ toolCalls: calls }), aModelAnswer({ text: 'done' })]),
  );
}

function run(
  world: LoopWorld,
  onUnknown: OnUnknown,
  rules: Partial<LoopRules> = {},
  attempt = 1,
): Promise<LoopResult> {
  return runAgentLoop(anExecutionContext({ attempt }), rulesOf(rules, onUnknown), world.ports, world.signals);
}

/** The first unsafe call times out; the others succeed. */
function firstIsSilent(world: LoopWorld, call: string): void {
  world.tools.onRun = ({ round, position, toolName }) =>
    `${round}.${position}` === call && world.tools.runs.get(call) === 1 ? null : succeeded(`ok ${toolName}`);
}

const asked = (call: string) => ({ call, asks: 'outcome', tool_name: 'charge', tool_input: {} });
const report = (world: LoopWorld, position: number, said: OutcomeReport) =>
  world.journal.decide({ kind: 'outcome_reported', round: 1, position, report: said, reason: '' });
const kinds = (world: LoopWorld) => world.journal.entries.map((entry) => entry.kind);
const statuses = (world: LoopWorld) => [...world.journal.steps.values()].map((step) => step.status);

describe('a call that did not answer in time', () => {
  it('halts the execution before another side effect of the round begins', async () => {
    const world = worldThatAsksFor('charge', 'charge');
    firstIsSilent(world, '1.0');
    expect(await run(world, 'halt')).toMatchObject({ outcome: { error: { code: 'TOOL_OUTCOME_UNKNOWN' } } });
    expect([...world.tools.runs]).toEqual([['1.0', 1]]);
    expect(statuses(world)).toEqual(['outcome_unknown', 'refused']);
  });

  it('is reported to the model, and the rest of the round runs', async () => {
    const world = worldThatAsksFor('charge', 'other');
    firstIsSilent(world, '1.0');
    const rules: Partial<LoopRules> = {
      evaluate: (call) => {
        const verdict = rulesOf({}, 'inform').evaluate({ ...call, toolName: 'charge' });
        return verdict.kind === 'run' ? { ...verdict, input: { for: call.toolName } } : verdict;
      },
    };
    expect(await run(world, 'inform', rules)).toMatchObject({ outcome: { status: 'completed' } });
    expect(statuses(world)).toEqual(['outcome_unknown', 'succeeded']);
  });
});

describe('a begun call of a dead worker, not repeated because the execution ends', () => {
  it.each<[string, string, StopReason, string]>([
    ['read, cancelled', 'search', 'cancelled', 'refused'],
    ['read, late', 'search', 'deadline', 'refused'],
    ['idempotent, cancelled', 'upsert', 'cancelled', 'outcome_unknown'],
    ['idempotent, late', 'upsert', 'deadline', 'outcome_unknown'],
  ])('is not said to have done nothing when it may have: %s', async (_what, tool, reason, status) => {
    const world = worldThatAsksFor(tool);
    world.journal.dieAt(1, 'after');
    await expect(run(world, 'halt')).rejects.toThrow(WorkerDied);
    world.journal.revive();
    world.stop(reason);
    const ending = reason === 'cancelled' ? 'cancelled' : 'incomplete';
    expect(await run(world, 'halt', {}, 2)).toMatchObject({ outcome: { status: ending } });
    expect(statuses(world)).toEqual([status]);
  });
});

describe('a call whose outcome a person is asked for', () => {
  it('parks its execution, before another side effect of the round begins, and is shown as unknown', async () => {
    const world = worldThatAsksFor('search', 'charge', 'charge');
    firstIsSilent(world, '1.1');
    expect(await run(world, 'ask')).toMatchObject({ kind: 'parked' });
    expect(world.journal.parked).toEqual([[asked('1.1')]]);
    expect(world.tools.runs.has('1.2')).toBe(false);
    expect(statuses(world)).toEqual(['succeeded', 'outcome_unknown']);
  });

  it.each<[string, string | null, string]>([
    ['what the person wrote', 'receipt 17', 'receipt 17'],
    ['that a person confirmed it', null, 'a person confirmed that this call took effect'],
  ])('does not run again after `happened`, and the model reads %s', async (_name, output, text) => {
    const world = worldThatAsksFor('charge');
    firstIsSilent(world, '1.0');
    await run(world, 'ask');
    report(world, 0, { kind: 'happened', output });
    expect(await run(world, 'ask', {}, 2)).toMatchObject({ outcome: { status: 'completed' } });
    expect(world.tools.runs.get('1.0')).toBe(1);
    expect((world.model as ScriptedModel).requests.at(-1)?.messages.at(-1)).toMatchObject({ content: text });
    expect(world.journal.steps.get('1.0')).toMatchObject({
      status: 'succeeded',
      output: { status: 'success', result: { message: text, reported_by: 'person' } },
    });
  });

  it('runs again after `did_not_happen`, and is asked for again if that stays unknown too', async () => {
    const world = worldThatAsksFor('charge');
    world.tools.onRun = () => null;
    await run(world, 'ask');
    report(world, 0, { kind: 'did_not_happen' });
    expect(await run(world, 'ask', {}, 2)).toMatchObject({ kind: 'parked' });
    expect(world.journal.parked).toEqual([[asked('1.0')], [asked('1.0')]]);
    expect(world.tools.runs.get('1.0')).toBe(2);
  });

  it('ends the execution visibly after `unknown`', async () => {
    const world = worldThatAsksFor('charge');
    world.tools.onRun = () => null;
    await run(world, 'ask');
    report(world, 0, { kind: 'unknown' });
    expect(await run(world, 'ask', {}, 2)).toMatchObject({
      outcome: { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
    });
    expect(statuses(world)).toEqual(['outcome_unknown']);
  });

  it('waits beside one that asks for approval', async () => {
    const world = worldThatAsksFor('charge', 'upsert');
    world.tools.onRun = () => null;
    const rules: Partial<LoopRules> = {
      evaluate: (call) => {
        const verdict = rulesOf({}, 'ask').evaluate(call);
        const needsApproval = call.toolName === 'upsert';
        return verdict.kind === 'run' ? { ...verdict, needsApproval } : verdict;
      },
    };
    await run(world, 'ask', rules);
    expect(world.journal.parked.at(-1)?.map(({ call, asks }) => `${call} ${asks}`)).toEqual([
      '1.0 outcome',
      '1.1 approval',
    ]);
  });

  it('is asked for at the deadline too, and takes no other call of the round with it', async () => {
    const world = worldThatAsksFor('charge', 'charge');
    world.tools.onRun = () => {
      world.stop('deadline');
      return null;
    };
    expect(await run(world, 'ask')).toMatchObject({ kind: 'parked' });
    expect(kinds(world)).not.toContain('tool_call_settled');
  });

  it('is not asked for when the execution is cancelled', async () => {
    const world = worldThatAsksFor('charge');
    world.tools.onRun = () => {
      world.stop('cancelled');
      return null;
    };
    expect(await run(world, 'ask')).toMatchObject({ outcome: { status: 'cancelled' } });
    expect(statuses(world)).toEqual(['outcome_unknown']);
    expect(kinds(world)).not.toContain('outcome_asked');
  });

  it('is settled as unknown when the execution is cancelled while it waits', async () => {
    const world = worldThatAsksFor('charge');
    world.tools.onRun = () => null;
    await run(world, 'ask');
    world.journal.decide();
    world.stop('cancelled');
    expect(await run(world, 'ask', {}, 2)).toMatchObject({ outcome: { status: 'cancelled' } });
    expect(kinds(world).slice(-3)).toEqual([
      'cancellation_requested',
      'tool_call_settled',
      'execution_settled',
    ]);
  });
});

it('a call that was begun is not called refused because its tool was taken away since', async () => {
  const world = worldThatAsksFor('charge');
  let isOffered = true;
  world.tools.onRun = () => {
    isOffered = false;
    return null;
  };
  const rules: Partial<LoopRules> = {
    evaluate: (call) =>
      isOffered
        ? rulesOf().evaluate(call)
        : { kind: 'refuse', reason: 'unknown_tool', output: 'there is not a tool' },
  };
  expect(await run(world, 'inform', rules)).toMatchObject({
    outcome: { error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
  });
  expect(statuses(world)).toEqual(['outcome_unknown']);
});

it.each<[StopReason, object]>([
  ['cancelled', { status: 'cancelled' }],
  ['deadline', { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } }],
])('nor is it said to have done nothing where the execution ends: %s', async (reason, outcome) => {
  const world = worldThatAsksFor('search', 'charge');
  world.journal.dieAt(2, 'after');
  await expect(run(world, 'ask')).rejects.toThrow(WorkerDied);
  world.journal.revive();
  world.stop(reason);
  const evaluate: LoopRules['evaluate'] = () => ({
    kind: 'refuse',
    reason: 'unknown_tool',
    output: 'no such tool',
  });
  expect(await run(world, 'ask', { evaluate }, 2)).toMatchObject({ outcome });
  expect(statuses(world)).toEqual(['succeeded', 'outcome_unknown']);
});

describe('an outcome seen before the lease was lost, and not committed yet', () => {
  const seen = { round: 1, position: 0, outcome: { status: 'succeeded', output: 'saw upsert' } };

  it('is passed on as evidence only after another worker took over', async () => {
    const world = worldThatAsksFor('upsert', 'charge');
    world.tools.onRun = ({ toolName }) => {
      world.journal.execution.claim();
      world.stop('lease_lost');
      return succeeded(`saw ${toolName}`);
    };
    expect(await run(world, 'ask')).toEqual({ kind: 'interrupted' });
    expect(world.journal.testimony).toMatchObject([seen]);
    expect(kinds(world)).toEqual(['model_call_completed', 'tool_call_started']);
  });

  it('is a fact while no other worker took over', async () => {
    const world = worldThatAsksFor('upsert', 'charge');
    world.tools.onRun = ({ toolName }) => {
      world.stop('lease_lost');
      return succeeded(`saw ${toolName}`);
    };
    expect(await run(world, 'ask')).toEqual({ kind: 'interrupted' });
    expect(world.journal.testimony).toEqual([]);
    expect(world.journal.entries.at(-1)).toMatchObject({ kind: 'tool_call_settled', ...seen });
  });
});
