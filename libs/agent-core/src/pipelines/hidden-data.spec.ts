import { describe, expect, it } from '@jest/globals';
import { says, toTheEnd } from '../../../../test/support/fakes/agents-at-work.js';
import { kindsOf, pipelineOf, stepsOf } from '../../../../test/support/fakes/pipeline-world.js';

const HIDDEN = '/additional_data/page';
const STEPS = stepsOf(
  { name: 'look', kind: 'tool', tool: 'search', arguments: { page: `{{${HIDDEN}}}` } },
  { name: 'never', kind: 'llm', prompt: 'x', when: { value: HIDDEN, exists: false } },
  {
    name: 'choose',
    kind: 'branch',
    cases: [{ when: { value: `${HIDDEN}/title`, equals: 'Orders' }, then: 'ask' }],
    otherwise: 'end',
  },
  { name: 'ask', kind: 'llm', prompt: `[{{${HIDDEN}}}] {{/additional_data}}` },
  {
    name: 'each',
    kind: 'map',
    over: '/additional_data/list',
    do: { kind: 'tool', tool: 'search', arguments: { title: `{{${HIDDEN}/title}} {{/item}}` } },
  },
);
const shown = { list: ['a'] };
const given = { input: 'x', additional_data: shown };
const givenToTools = { input: 'x', additional_data: { ...shown, page: { title: 'Orders' } } };

describe('data that is hidden from models (S2-22)', () => {
  it('reaches tools and conditions of a pipeline, and no prompt and no answer', async () => {
    const pipeline = { steps: STEPS, given, givenToTools, output_format: { text: `[{{${HIDDEN}}}]` } };
    const agents = pipelineOf(STEPS, { ask: [says('asked')] }, { rules: { root: { pipeline } } });
    expect(await toTheEnd(agents)).toMatchObject({ outcome: { status: 'completed', text: '[]' } });
    const { journal } = agents.world;
    expect(kindsOf(journal.entries)).toContain('never skipped');
    expect(agents.planned.map(({ input }) => JSON.parse(input) as object)).toEqual([
      { prompt: '[] {"list":["a"]}' },
    ]);
    expect([...journal.steps.values()].map(({ toolName, input }) => [toolName, input])).toEqual([
      ['search', { page: { title: 'Orders' } }],
      ['never', {}],
      ['ask', { prompt: '[] {"list":["a"]}' }],
      ['search', { title: 'Orders a' }],
    ]);
  });
});
