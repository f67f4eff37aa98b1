import { describe, expect, it } from '@jest/globals';
import type { RefusalReason } from '#libs/tooling';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf } from '../../../test/support/fakes/loop-world.js';
import { SequenceModel } from '../../../test/support/fakes/scripted-model.js';
import { MAX_CALLS_PER_EXECUTION, MAX_CALLS_PER_ROUND } from './call-limits.js';
import type { ModelAnswer } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import { runAgentLoop } from './run-agent-loop.js';

const asking = (...toolNames: string[]): ModelAnswer =>
  aModelAnswer({ toolCalls: toolNames.map((name, index) => aCall(name, `c${index}`)) });
const done = aModelAnswer({ text: 'Done.' });
const many = (count: number): ModelAnswer => asking(...Array.from({ length: count }, () => 'search'));

async function run(world: LoopWorld, rules: Partial<LoopRules> = {}) {
  const result = await runAgentLoop(
    anExecutionContext(),
    rulesOf(rules, 'inform'),
    world.ports,
    world.signals,
  );
  const refused = world.journal.entries.flatMap((entry) =>
    entry.kind === 'tool_call_settled' && entry.outcome.status === 'refused'
      ? [{ position: entry.position, reason: entry.outcome.reason }]
      : [],
  );
  return { result, refused, reasons: refused.map(({ reason }) => reason) };
}

describe('the reason of a refusal', () => {
  it.each<[RefusalReason, ModelAnswer[], Partial<LoopRules>]>([
    ['unknown_tool', [asking('nonsense'), done], {}],
    ['iteration_limit', [asking('search'), asking('upsert')], { maximumIterations: 2 }],
    ['repeated_failure', [asking('search'), asking('search'), done], {}],
    ['repeated_unknown', [asking('charge'), asking('charge'), done], {}],
  ])('is kept in the journal: %s', async (reason, answers, rules) => {
    const world = new LoopWorld(new SequenceModel(answers));
    world.tools.onRun = ({ toolName }) =>
      toolName === 'charge' ? null : { status: 'failed', output: 'it failed', error: 'Error' };
    expect((await run(world, rules)).reasons).toEqual([reason]);
  });

  it('is kept of a call that a person denied', async () => {
    const world = new LoopWorld(new SequenceModel([asking('search'), done]));
    const evaluate: LoopRules['evaluate'] = () => ({
      kind: 'run',
      effect: 'read',
      input: {},
      needsApproval: true,
    });
    await run(world, { evaluate });
    const reason = 'Maximum iteration limit (6) reached.';
    world.journal.decide({ kind: 'approval_decided', round: 1, position: 0, approved: false, reason });
    expect((await run(world, { evaluate })).reasons).toEqual(['denied']);
  });
});

describe('how many calls run', () => {
  it('is bounded in a round; each that is too many is refused', async () => {
    const world = new LoopWorld(new SequenceModel([many(MAX_CALLS_PER_ROUND + 6), done]));
    const { result, refused, reasons } = await run(world);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(world.tools.runs.size).toBe(MAX_CALLS_PER_ROUND);
    expect(reasons).toEqual(Array(6).fill('round_call_limit'));
    expect(refused.map(({ position }) => position)).toEqual([64, 65, 66, 67, 68, 69]);
    expect(world.journal.steps.get('1.64')).toMatchObject({
      status: 'refused',
      output: {
        result: {
          message:
            'Too many tool calls at once: only the first 64 of a round are run. Ask for this one again later.',
        },
      },
    });
  });

  it('is bounded in an execution, by what was asked for', async () => {
    const world = new LoopWorld(new SequenceModel([many(MAX_CALLS_PER_EXECUTION - 1), many(2), done]));
    const { reasons } = await run(world);
    expect([...world.tools.runs.keys()].filter((key) => key.startsWith('2.'))).toEqual(['2.0']);
    expect(reasons.at(-1)).toBe('execution_call_limit');
  });

  it('is no use to a model that asks for more than could be refused one by one', async () => {
    const world = new LoopWorld(new SequenceModel([many(MAX_CALLS_PER_EXECUTION + 1)]));
    expect((await run(world)).result).toMatchObject({
      kind: 'settled',
      outcome: {
        status: 'failed',
        error: {
          code: 'SDK_ERROR',
          message: 'the model asked for 2001 tool calls at once, more than 2000',
        },
      },
    });
  });
});
