import { expect, it, jest } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf } from '../../../test/support/fakes/loop-world.js';
import { SequenceModel } from '../../../test/support/fakes/scripted-model.js';
import type { LoopRules } from './loop-rules.js';
import { runAgentLoop } from './run-agent-loop.js';

it('arguments are parsed once for verdict, audit, events and every later prompt', async () => {
  const [first, second] = ['{"order": "first"}', '{"order": "second"}'];
  const world = new LoopWorld(
    new SequenceModel([
      aModelAnswer({ toolCalls: [aCall('search', 'c1', first)] }),
      aModelAnswer({ toolCalls: [aCall('upsert', 'c2', second), aCall('nonsense', 'c3', '{}')] }),
      aModelAnswer({ text: 'Done.' }),
    ]),
  );
  const parse = jest.spyOn(JSON, 'parse');
  try {
    const plain = rulesOf();
    const evaluate = jest.fn((...given: Parameters<LoopRules['evaluate']>) => plain.evaluate(...given));
    await runAgentLoop(anExecutionContext(), rulesOf({ evaluate }), world.ports, world.signals);
    const texts = parse.mock.calls.map(([text]) => text);
    expect(texts.filter((text) => text === first)).toHaveLength(1);
    expect(texts.filter((text) => text === second)).toHaveLength(1);
    expect(evaluate.mock.calls.map(([, parsed]) => parsed)).toMatchObject([
      { success: true, data: { order: 'first' } },
      { success: true, data: { order: 'second' } },
      { success: true, data: {} },
    ]);
  } finally {
    parse.mockRestore();
  }
  const inputs = [...world.journal.steps.values()].map(({ input }) => input);
  expect(inputs).toEqual([{ order: 'first' }, {}, { order: 'second' }]);
});
