import { describe, expect, it } from '@jest/globals';
import type { ModelList, Strategy } from '../../api/types.js';
import {
  isShowable,
  modelFields,
  otherKeys,
  parameterValue,
  rangeOf,
  strategyFields,
  type ParameterField,
} from './parameter-fields.js';

const named = (name: string) => ({ name, label: name, help: `About ${name}`, required: false });
const STRATEGIES: Strategy[] = [
  {
    name: 'gpt5_react',
    label: 'ReAct',
    parameters: [
      { ...named('model'), type: 'model-selector', scope: 'llm' },
      { ...named('tools'), type: 'array[tools]' },
      { ...named('instruction'), type: 'string' },
      { ...named('overrides'), type: 'string' },
      { ...named('context'), type: 'any' },
      { ...named('query'), type: 'string' },
      { ...named('maximum_iterations'), type: 'number', default: 6, min: 1, max: 30 },
      { ...named('thoughts'), type: 'boolean', default: true },
    ],
  },
];
const namesOf = (fields: readonly ParameterField[]): string[] => fields.map(({ name }) => name);
const byName = (fields: readonly ParameterField[]) => Object.fromEntries(fields.map((f) => [f.name, f]));

describe('the fields of a strategy', () => {
  it('leave out what stands elsewhere in the form, or comes with a request', () => {
    const fields = strategyFields(STRATEGIES, 'gpt5_react');
    expect(namesOf(fields)).toEqual(['overrides', 'maximum_iterations', 'thoughts']);
    expect(byName(fields)).toMatchObject({
      overrides: { kind: 'text', fallback: null },
      maximum_iterations: { kind: 'integer', min: 1, max: 30, fallback: '6' },
      thoughts: { kind: 'boolean', fallback: 'true' },
    });
  });

  it('are those of the engine alone without a strategy', () => {
    expect(namesOf(strategyFields(STRATEGIES, undefined))).toEqual(['maximum_iterations']);
    expect(strategyFields([], 'gpt5_react')).toEqual([]);
  });
});

const MODELS = {
  data: [
    {
      id: 'big',
      provider: 'openai',
      parameters: [
        { name: 'limit', label: 'Limit', type: 'int', default: 10, min: 1, max: 20 },
        { name: 'effort', label: 'Effort', type: 'string', default: '', options: ['low'], open: false },
        { name: 'heat', label: 'Heat', type: 'float', min: 0, max: 2 },
        { name: 'user', label: 'User', type: 'text' },
        { name: 'stream', label: 'Stream', type: 'boolean', default: true },
      ],
    },
  ],
  providers: [{ id: 'openai', parameters: [{ name: 'user', label: 'User', type: 'text' }] }],
} as unknown as ModelList;

describe('the fields of a model', () => {
  it('are its own, with the values of the model configuration where the agent has none', () => {
    const fields = modelFields(MODELS, { model: 'big', provider: 'openai', extra: { heat: 0.5 } });
    expect(byName(fields)).toMatchObject({
      limit: { kind: 'integer', fallback: '10' },
      effort: { kind: 'choice', options: ['low'], fallback: null },
      heat: { kind: 'decimal', fallback: '0.5, of the model configuration' },
      user: { kind: 'line' },
      stream: { kind: 'boolean', fallback: 'true' },
    });
  });

  it('are those of the provider where the model is not in the catalogue', () => {
    expect(namesOf(modelFields(MODELS, { model: 'own', provider: 'openai', extra: {} }))).toEqual(['user']);
    expect(modelFields(MODELS, { model: 'own', provider: 'other', extra: {} })).toEqual([]);
  });
});

describe('a field', () => {
  const [limit, effort, heat, user, stream] = modelFields(MODELS, {
    model: 'big',
    provider: 'openai',
    extra: {},
  });

  it.each([
    [limit, '12', 12],
    [heat, '0.5', 0.5],
    [limit, '', undefined],
    [limit, '1e', '1e'],
    [stream, 'false', false],
    [user, '12', '12'],
  ])('reads the text of its control', (field, text, value) => {
    expect(parameterValue(field as ParameterField, text)).toBe(value);
  });

  it.each([
    [limit, 3, true],
    [limit, '3', false],
    [stream, 'true', false],
    [effort, 'low', true],
    [effort, 'other', false],
    [user, ['x'], false],
    [user, undefined, true],
  ])('says whether it can show a value', (field, value, isShown) => {
    expect(isShowable(field as ParameterField, value)).toBe(isShown);
  });

  it('says its range', () => {
    expect(rangeOf(limit as ParameterField)).toBe('Whole number from 1 to 20.');
    expect(rangeOf(heat as ParameterField)).toBe('Number from 0 to 2.');
    expect(rangeOf(user as ParameterField)).toBe(null);
  });
});

it('names the keys that no field shows', () => {
  expect(otherKeys({ heat: 1, budget: {}, memory: {} }, ['heat'])).toEqual(['budget', 'memory']);
});
