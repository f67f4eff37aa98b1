import { describe, expect, it } from '@jest/globals';
import { defaultModelParameters, MODEL_PARAMETERS } from './model-parameters.js';

const find = (name: string) => MODEL_PARAMETERS.find((parameter) => parameter.name === name);

describe('MODEL_PARAMETERS', () => {
  it.each([
    ['S1-15', 'max_output_tokens', { type: 'int', default: 8192, min: 1, max: 128000 }],
    [
      'S1-16',
      'reasoning_effort',
      {
        type: 'string',
        default: 'medium',
        options: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
        open: false,
      },
    ],
    [
      'S1-17',
      'reasoning_summary',
      { type: 'string', default: 'auto', options: ['auto', 'concise', 'detailed'], open: false },
    ],
    [
      'S1-18',
      'verbosity',
      { type: 'string', default: 'medium', options: ['low', 'medium', 'high'], open: false },
    ],
    [
      'S1-19',
      'response_format',
      { type: 'string', default: 'text', options: ['text', 'json_schema'], open: false },
    ],
    ['S1-20', 'json_schema', { type: 'text' }],
    [
      'S1-21',
      'tool_choice',
      { type: 'string', default: 'auto', options: ['auto', 'none', 'required'], open: true },
    ],
    ['S1-22', 'parallel_tool_calls', { type: 'boolean', default: true }],
    ['S1-23', 'enable_stream', { type: 'boolean', default: true }],
  ])('%s: declares %s', (_number, name, expected) => {
    const { label, ...parameter } = find(name) ?? { label: '' };
    expect(parameter).toEqual({ name, ...expected });
    expect(label).not.toBe('');
  });

  it('S1-20: json_schema has no default', () => expect(find('json_schema')).not.toHaveProperty('default'));

  it('S1-77: gives the defaults of all parameters that have one', () =>
    expect(defaultModelParameters()).toEqual({
      max_output_tokens: 8192,
      reasoning_effort: 'medium',
      reasoning_summary: 'auto',
      verbosity: 'medium',
      response_format: 'text',
      tool_choice: 'auto',
      parallel_tool_calls: true,
      enable_stream: true,
    }));
});
