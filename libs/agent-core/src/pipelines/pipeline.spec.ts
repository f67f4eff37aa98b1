import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { says, toTheEnd, usageByScope } from '../../../../test/support/fakes/agents-at-work.js';
import { succeeded } from '../../../../test/support/fakes/loop-world.js';
import {
  ANSWERS,
  DONE,
  kindsOf,
  pipelineOf,
  SCRIPTS,
  wantsN,
  WHOLE,
} from '../../../../test/support/fakes/pipeline-world.js';

describe('a pipeline', () => {
  it('does its steps in their order, each with what those before came to (S3-35)', async () => {
    const agents = pipelineOf(WHOLE, SCRIPTS, ANSWERS);
    const { journal, tools } = agents.world;
    expect(await toTheEnd(agents)).toEqual(DONE);
    expect(kindsOf(journal.entries)).toEqual([
      'extract begun 1',
      'extract succeeded',
      'find begun 1',
      'find succeeded',
      'never skipped',
      'pay begun 1',
      'pay succeeded',
      'draft begun 1',
      'draft succeeded',
    ]);
    expect(journal.steps.get('2.0')).toMatchObject({
      toolName: 'search',
      callId: 'find',
      input: { n: 2, of: 'x two roma' },
    });
    expect(
      agents.planned.map(({ name, scope, input }) => [name, scope, JSON.parse(input) as JsonObject]),
    ).toEqual([
      ['extract', '1.0', { prompt: 'Extract: two roma' }],
      ['draft', '4.0', { prompt: 'Of ok search and : 7' }],
    ]);
    expect([...tools.runs].toSorted()).toEqual([
      ['2.0', 1],
      ['3.0', 1],
      ['4.0:1.0', 1],
      ['4.0:1.1', 1],
    ]);
    expect(journal.entries.map(({ kind }) => kind).slice(0, 3)).toEqual([
      'execution_prepared',
      'step_begun',
      'tool_call_started',
    ]);
  });

  it('leaves its audit and its usage by step, and asks no model itself (S2-6, S4-33)', async () => {
    const agents = pipelineOf(WHOLE, SCRIPTS, ANSWERS);
    await toTheEnd(agents);
    expect(usageByScope(agents)).toEqual({ '1.0': 30, '4.0': 30 });
    expect(agents.models.charged.get('root')).toBeUndefined();
    const steps = [...agents.world.journal.steps].map(
      ([call, { toolName, status }]) => `${call} ${toolName} ${status}`,
    );
    expect(steps.toSorted()).toEqual([
      '1.0 extract succeeded',
      '2.0 search succeeded',
      '2.1 never skipped',
      '3.0 charge succeeded',
      '4.0 draft succeeded',
      '4.0:1.0 charge succeeded',
      '4.0:1.1 search succeeded',
    ]);
  });

  it('asks a model once more for an answer that does not fit, with what is wrong', async () => {
    const agents = pipelineOf(WHOLE, SCRIPTS, ANSWERS);
    await toTheEnd(agents);
    const rejected = agents.world.journal.entries.filter(({ kind }) => kind === 'answer_rejected');
    expect(rejected).toEqual([
      { kind: 'answer_rejected', scope: '1.0', round: 1, faults: ['n: must be number'] },
    ]);
  });

  it('fails when the model does not correct its answer', async () => {
    const scripts = { ...SCRIPTS, extract: [says('none'), says('{"n": "two"}')] };
    expect(await toTheEnd(pipelineOf(WHOLE, scripts, ANSWERS))).toMatchObject({
      outcome: {
        status: 'failed',
        error: { code: 'OUTPUT_INVALID', message: expect.stringContaining('the step extract failed: ') },
      },
    });
  });

  it('asks again where only the last permitted answer does not fit (S3-35)', async () => {
    const rules = { extract: { answer: wantsN, maximumIterations: 1 } };
    expect(await toTheEnd(pipelineOf(WHOLE, SCRIPTS, { rules }))).toEqual(DONE);
  });

  it('ends incomplete with what there is where its budget is spent', async () => {
    const budget = { total_tokens: 30, cost: null, rounds: null };
    const result = await toTheEnd(
      pipelineOf(WHOLE, SCRIPTS, { rules: { ...ANSWERS.rules, root: { budget } } }),
    );
    expect(result).toMatchObject({ outcome: { status: 'incomplete', reason: 'budget', text: '{"n":2}' } });
  });

  it('waits for a person where a tool of a step needs one, and goes on from there', async () => {
    const agents = pipelineOf(WHOLE, SCRIPTS, { ...ANSWERS, needsApproval: ['charge'] });
    expect(await agents.attempt()).toMatchObject({ kind: 'parked' });
    expect(agents.world.journal.parked.at(-1)).toMatchObject([
      { call: '3.0', asks: 'approval', tool_name: 'charge' },
    ]);
    expect(await toTheEnd(agents)).toEqual(DONE);
  });

  it('ends with what its last step was about when it is cancelled, and begins nothing more', async () => {
    const agents = pipelineOf(WHOLE, SCRIPTS, ANSWERS);
    agents.world.tools.onRun = () => {
      agents.world.stop('cancelled');
      return succeeded('ok');
    };
    expect(await toTheEnd(agents)).toMatchObject({ outcome: { status: 'cancelled' } });
    expect([...agents.world.tools.runs.keys()]).toEqual(['2.0']);
  });
});
