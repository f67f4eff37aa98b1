import { describe, expect, it } from '@jest/globals';
import { pipelineGraphOf } from './pipeline-graph.js';

const STEPS = [
  { name: 'find', kind: 'tool', tool: 'search_items', arguments: { query: '{{/input}}' } },
  {
    name: 'describe',
    kind: 'map',
    over: '/steps/find/items',
    do: { kind: 'agent', agent: 7, prompt: 'About {{/item}}' },
  },
  {
    name: 'choose',
    kind: 'branch',
    cases: [{ when: { value: '/steps/describe/0', exists: true }, then: 'offer' }],
    otherwise: 'end',
  },
  { name: 'check', kind: 'llm', prompt: '{{/steps/find-out}}', when: { value: '/input', exists: true } },
  { name: 'offer', kind: 'llm', prompt: 'Offer {{/steps/describe}} of {{/steps/find}}', tools: [] },
];

const graphOf = (...steps: unknown[]) => pipelineGraphOf({ steps });

describe('the graph of a pipeline', () => {
  it('names each step, what it calls, its condition and the outputs that it reads', () => {
    expect(graphOf(...STEPS)?.nodes).toMatchObject([
      { name: 'find', kind: 'tool', tool: 'search_items', reads: [], when: null },
      { name: 'describe', kind: 'map', inner: 'agent', agentId: 7, reads: ['find'] },
      {
        kind: 'branch',
        reads: ['describe'],
        exits: [
          { when: '/steps/describe/0 is there', to: 'offer' },
          { when: null, to: 'end' },
        ],
      },
      { name: 'check', when: '/input is there', reads: [] },
      { name: 'offer', reads: ['find', 'describe'] },
    ]);
  });

  it('leads from the input to the answer, past the steps that a branch leaves out', () => {
    const lines = graphOf(...STEPS)?.edges.map(({ from, to, exit }) => `${from} ${to} ${exit ?? '-'}`);
    expect(lines).toEqual(['0 1 -', '1 2 -', '2 3 -', '3 5 0', '3 6 1', '4 5 -', '5 6 -']);
  });

  it('lets a branch without a condition that is met go on with the next step', () => {
    const cases = [{ when: {}, then: 'end' }];
    expect(graphOf({ name: 'b', kind: 'branch', cases }, 'next')?.nodes[0]?.exits[1]).toEqual({
      when: null,
      to: 'next',
    });
  });

  it('takes a name alone for a step of the model that reads all outputs before it', () => {
    expect(graphOf('draft', 'refine')?.nodes).toMatchObject([
      { name: 'draft', kind: 'llm', reads: [] },
      { name: 'refine', kind: 'llm', reads: ['draft'] },
    ]);
  });

  it('is none without steps', () => {
    expect([pipelineGraphOf({}), pipelineGraphOf({ steps: [] }), pipelineGraphOf({ steps: 'x' })]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is drawn as far as it can be while it is written', () => {
    const back = { name: 'b', kind: 'branch', cases: [{ then: 'a' }, { then: 'nowhere' }], otherwise: 'b' };
    const graph = graphOf(null, 3, { kind: 'other', when: 'x' }, back, { name: 'a' });
    expect(graph?.nodes.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'step 1 unknown',
      'step 2 unknown',
      'step 3 unknown',
      'b branch',
      'a unknown',
    ]);
    expect(graph?.edges.filter(({ from }) => from === 4)).toEqual([{ from: 4, to: 5, exit: 0 }]);
  });
});
