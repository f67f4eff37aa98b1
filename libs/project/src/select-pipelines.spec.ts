import { describe, expect, it } from '@jest/globals';
import { defineAgent, definePipeline, defineTool, type Pipeline, type PipelineOptions } from '#libs/kit';
import { z } from 'zod';
import { selectPipelines } from './select-pipelines.js';

const find = defineTool({
  name: 'find_order',
  description: 'Finds an order.',
  input: z.object({ number: z.string() }),
  effect: 'read',
  run: () => null,
});
const reviewer = defineAgent({ name: 'reviewer', instruction: 'You review.' });

function desk(overrides: Partial<PipelineOptions> = {}): Pipeline {
  return definePipeline({
    name: 'desk',
    instruction: 'You answer customers.',
    steps: [
      { name: 'find', kind: 'tool', tool: find, arguments: { number: '{{/input}}' } },
      { name: 'answer', kind: 'llm', prompt: 'Of {{/steps/find}}', output: z.object({ text: z.string() }) },
      { name: 'review', kind: 'agent', agent: reviewer, prompt: '{{/steps/answer/text}}' },
    ],
    ...overrides,
  });
}

function select(...pipelines: readonly Pipeline[]) {
  const part = { file: 'pipelines/desk.ts', tools: [], agents: [], pipelines, domains: [], migrations: [] };
  return selectPipelines([part], { tools: new Set([find]), agents: [reviewer] });
}

describe('pipelines of a project', () => {
  it('become agents whose steps name tools and agents, with schemas as JSON', () => {
    const { usable, problems } = select(desk({ model: 'haiku' }));
    expect(problems).toEqual([]);
    expect(usable).toMatchObject([
      {
        name: 'desk',
        usecaseType: 'CUSTOM',
        systemPrompt: 'You answer customers.',
        model: 'haiku',
        tools: ['find_order'],
        calls: ['reviewer'],
      },
    ]);
    expect(usable[0]?.config?.((name) => name.length)).toEqual({
      steps: [
        { name: 'find', kind: 'tool', tool: 'find_order', arguments: { number: '{{/input}}' } },
        {
          name: 'answer',
          kind: 'llm',
          prompt: 'Of {{/steps/find}}',
          output_schema: {
            type: 'object',
            properties: { text: { type: 'string' } },
            required: ['text'],
            additionalProperties: false,
          },
        },
        { name: 'review', kind: 'agent', agent: 8, prompt: '{{/steps/answer/text}}' },
      ],
    });
  });

  it('converts the action of a map, and keeps branches', () => {
    const { usable } = select(
      desk({
        steps: [
          {
            name: 'each',
            kind: 'map',
            over: '/additional_data/orders',
            do: { kind: 'tool', tool: find, arguments: { number: '{{/item}}' } },
            concurrency: 2,
          },
          {
            name: 'choose',
            kind: 'branch',
            cases: [{ when: { value: '/steps/each/0', exists: false }, then: 'end' }],
          },
          { name: 'answer', kind: 'llm', prompt: '{{/steps/each}}', tools: [find] },
        ],
      }),
    );
    expect(usable[0]?.config?.(() => 1)).toMatchObject({
      steps: [
        { do: { kind: 'tool', tool: 'find_order', arguments: { number: '{{/item}}' } }, concurrency: 2 },
        { cases: [{ then: 'end' }] },
        { tools: ['find_order'] },
      ],
    });
  });

  it('stand behind the pipelines that they call', () => {
    const inner = desk({ name: 'inner' });
    const outer = desk({
      name: 'outer',
      steps: [{ name: 'ask', kind: 'agent', agent: inner, prompt: '{{/input}}' }],
    });
    expect(select(outer, inner).usable.map(({ name }) => name)).toEqual(['inner', 'outer']);
  });

  const stranger = defineTool({ ...find, name: 'stranger' });
  it.each<[string, Partial<PipelineOptions>, string]>([
    [
      'a reference to no step',
      { steps: [{ name: 'a', kind: 'llm', prompt: '{{/steps/b}}' }] },
      'the pipeline "desk" is not usable: steps.0.prompt: ',
    ],
    ['no steps', { steps: [] }, 'the pipeline "desk" is not usable: steps: '],
    [
      'a tool that is not loaded',
      { steps: [{ name: 'a', kind: 'tool', tool: stranger }] },
      'the pipeline "desk" has tools that are not loaded: "stranger"',
    ],
    [
      'an agent that is not loaded',
      { steps: [{ name: 'a', kind: 'agent', agent: { ...reviewer, name: 'gone' }, prompt: 'x' }] },
      'the pipeline "desk" calls agents that are not loaded: "gone"',
    ],
    ['a name that is taken', { name: 'reviewer' }, 'another pipeline is named "reviewer", too'],
    ['an empty model', { model: ' ' }, '`model` of the pipeline "desk" must be the name'],
    [
      'steps that are no list',
      JSON.parse('{"steps": "find"}') as Partial<PipelineOptions>,
      'the pipeline "desk" is not usable: `steps` must be a list',
    ],
  ])('with %s are left out', (_case, overrides, reason) => {
    const { usable, problems } = select(desk(overrides));
    expect(usable).toEqual([]);
    expect(problems).toEqual([{ place: 'pipelines/desk.ts', reason: expect.stringContaining(reason) }]);
  });
});
