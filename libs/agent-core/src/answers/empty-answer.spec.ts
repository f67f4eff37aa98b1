import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf } from '../../../../test/support/fakes/loop-world.js';
import { ScriptedModel } from '../../../../test/support/fakes/scripted-model.js';
import type { ModelAnswer } from '../journal-entry.js';
import type { LoopRules } from '../loop-rules.js';
import { runAgentLoop } from '../run-agent-loop.js';
import { EMPTY_ANSWER_REQUEST } from './validate-answer.js';

const context = anExecutionContext();
const empty = aModelAnswer({ text: '' });
const done = aModelAnswer({ text: 'done' });

async function run(answers: readonly ModelAnswer[], rules: Partial<LoopRules> = {}) {
  const model = new ScriptedModel([...answers]);
  const world = new LoopWorld(model);
  const end = await runAgentLoop(context, rulesOf(rules), world.ports, world.signals);
  return { model, world, outcome: end.kind === 'settled' ? end.outcome : end.kind };
}

describe('an answer that says nothing', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t\u00a0'],
    ['invisible characters', '\u200b\ufeff\u2060'],
    ['a think block', '<think>two and two</think>\n'],
    ['a think block that is never closed', '<think>two and two'],
  ])('is asked for once more: %s', async (_what, text) => {
    const { model, outcome } = await run([aModelAnswer({ text, thinking: 'hm' }), done]);
    expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: EMPTY_ANSWER_REQUEST });
  });

  it('ends the execution visibly when it comes again', async () => {
    const { model, world, outcome } = await run([empty, empty]);
    expect(outcome).toEqual({ status: 'incomplete', reason: 'empty_answer', text: '' });
    expect(model.requests).toHaveLength(2);
    expect(world.journal.settlements[0]).toMatchObject({
      status: 'incomplete',
      incompleteReason: 'empty_answer',
    });
  });

  it('is asked for once in a whole run, also after tools', async () => {
    const asks = aModelAnswer({ text: '', toolCalls: [aCall('search', 'c1')] });
    const { outcome } = await run([empty, asks, empty]);
    expect(outcome).toMatchObject({ status: 'incomplete', reason: 'empty_answer' });
  });

  it('is owed one more answer in the last permitted round', async () => {
    const asks = aModelAnswer({ toolCalls: [aCall('search', 'c1')] });
    const { outcome } = await run([asks, empty, done], { maximumIterations: 2 });
    expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
  });

  it('is not asked for again when its limit cut it off', async () => {
    const { outcome } = await run([aModelAnswer({ text: '', incompleteReason: 'max_output_tokens' })]);
    expect(outcome).toMatchObject({ status: 'incomplete', reason: 'max_output_tokens' });
  });

  it('leaves the one repair of an answer by schema to the next one', async () => {
    const answer = { findFaults: () => ['n: must be number'] };
    const { model, outcome } = await run(
      [empty, aModelAnswer({ text: '{}' }), aModelAnswer({ text: '{}' })],
      { answer },
    );
    expect(model.requests).toHaveLength(3);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' } });
  });
});
