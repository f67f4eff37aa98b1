import { describe, expect, it } from '@jest/globals';
import { strategyDescriptionSchema } from './strategy-description.js';
import { STRATEGIES } from './strategies.js';

const parameter = (name: string): Record<string, unknown> => {
  const found = STRATEGIES[0]?.parameters.find((candidate) => candidate.name === name);
  return { ...found };
};

describe('STRATEGIES', () => {
  it('are function calling and ReAct, in this order (S0-4, S1-50)', () => {
    expect(STRATEGIES.map(({ name }) => name)).toEqual(['gpt5_function_calling', 'gpt5_react']);
  });

  it('differ in nothing but name and label (S0-16, S1-64)', () => {
    const [calling, react] = STRATEGIES.map(({ name: _name, label: _label, ...rest }) => rest);
    expect(react).toEqual(calling);
  });

  it.each([
    ['S1-51', 'model', { type: 'model-selector', required: true, scope: 'tool-call&llm' }],
    ['S1-52', 'tools', { type: 'array[tools]', required: true }],
    [
      'S1-53',
      'instruction',
      { type: 'string', required: true, auto_generate: { type: 'prompt_instruction' } },
    ],
    ['S1-54', 'prompt_policy_overrides', { type: 'string', required: false }],
    ['S1-55', 'context', { type: 'any', required: false }],
    ['S1-56', 'query', { type: 'string', required: true }],
    ['S1-57', 'maximum_iterations', { type: 'number', required: true, default: 6, min: 1, max: 30 }],
    ['S1-58', 'emit_intermediate_thoughts', { type: 'boolean', required: false, default: true }],
  ])('%s: %s has its type, range and default', (_requirement, name, contract) => {
    const { label: _label, help: _help, ...rest } = parameter(name);
    expect(rest).toEqual({ name, ...contract });
  });

  it('take these eight parameters and no other (S0-6, S1-77)', () => {
    const names = STRATEGIES.map(({ parameters }) => parameters.map(({ name }) => name));
    expect(names[0]).toHaveLength(8);
    expect(names[1]).toEqual(names[0]);
  });
});

describe('strategyDescriptionSchema', () => {
  const strategy = STRATEGIES[0];

  it.each([
    ['a default outside its range', { ...parameter('maximum_iterations'), default: 31 }],
    ['an unknown type', { ...parameter('query'), type: 'text' }],
    ['an unknown field', { ...parameter('query'), defualt: 'x' }],
    ['the name of another parameter', { ...parameter('query'), name: 'model' }],
  ])('refuses a parameter with %s', (_name, broken) => {
    const parameters = [...(strategy?.parameters.slice(1) ?? []), parameter('model'), broken];
    expect(strategyDescriptionSchema.safeParse({ ...strategy, parameters }).success).toBe(false);
  });
});
