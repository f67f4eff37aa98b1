import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf } from '../../../../test/support/fakes/loop-world.js';
import { SequenceModel } from '../../../../test/support/fakes/scripted-model.js';
import type { LoopRules } from '../loop-rules.js';
import type { OpenedModel } from '../ports/model.js';
import { runAgentLoop } from '../run-agent-loop.js';

const SEARCH = aModelAnswer({ toolCalls: [aCall('search', 'c1')] });
const DONE = aModelAnswer({ text: 'done' });

/** Counts the calls of each model that a scope has opened, and whether that one is closed. */
class OpeningModel extends SequenceModel {
  readonly opened: { calls: number; isClosed: boolean }[] = [];

  override open(): OpenedModel {
    const one = { calls: 0, isClosed: false };
    this.opened.push(one);
    return {
      call: (...call) => {
        one.calls += 1;
        return this.call(...call);
      },
      close: () => {
        one.isClosed = true;
      },
    };
  }
}

async function run(model: OpeningModel, needsApproval = false): Promise<void> {
  const world = new LoopWorld(model);
  const rules = rulesOf();
  const evaluate: LoopRules['evaluate'] = (call) => ({ ...rules.evaluate(call), needsApproval });
  const ports = { ...world.ports, model };
  const ran = runAgentLoop(anExecutionContext(), { ...rules, evaluate }, ports, world.signals);
  await ran.catch(() => undefined);
}

describe('a model that keeps something between calls', () => {
  it('is opened once for all calls of a scope, and closed at its end', async () => {
    const model = new OpeningModel([SEARCH, DONE]);
    await run(model);
    expect(model.opened).toEqual([{ calls: 2, isClosed: true }]);
  });

  it('is closed where the scope waits for a person', async () => {
    const model = new OpeningModel([SEARCH]);
    await run(model, true);
    expect(model.opened).toEqual([{ calls: 1, isClosed: true }]);
  });

  it('is closed where the attempt breaks off', async () => {
    const model = new OpeningModel([SEARCH, new TypeError('broken')]);
    await run(model);
    expect(model.opened).toEqual([{ calls: 2, isClosed: true }]);
  });
});
