import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { InvalidModelParameterError } from '#libs/payloads';
import type { FunctionTool } from '../model-calls/function-tool.js';
import { buildResponsesRequest, type ResponsesCall } from './build-responses-request.js';

function build(parameters: JsonObject, rest: Partial<ResponsesCall> = {}) {
  return buildResponsesRequest({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    parameters,
    stream: true,
    reasons: false,
    ...rest,
  });
}

const bare = {
  model: 'm',
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
  stream: true,
  store: false,
  text: { format: { type: 'text' } },
};
const schema = { type: 'object', properties: {} };

describe('buildResponsesRequest', () => {
  it('adds no defaults of its own', () => expect(build({})).toEqual(bare));

  it.each<[string, JsonObject, object]>([
    ['S1-15: max_output_tokens', { max_output_tokens: 10 }, { max_output_tokens: 10 }],
    ['S1-15: a number as text', { max_output_tokens: ' 10 ' }, { max_output_tokens: 10 }],
    ['3.F-2: a number that is cut', { max_output_tokens: 10.9 }, { max_output_tokens: 10 }],
    ['S1-15: the least', { max_output_tokens: 1 }, { max_output_tokens: 1 }],
    ['S1-15: the most', { max_output_tokens: 128000 }, { max_output_tokens: 128000 }],
    ['S3-7: max_tokens, its other name', { max_tokens: 64 }, { max_output_tokens: 64 }],
    [
      'max_output_tokens before max_tokens',
      { max_tokens: 64, max_output_tokens: 8 },
      { max_output_tokens: 8 },
    ],
    [
      'S1-24: reasoning_effort',
      { reasoning_effort: 'high' },
      { reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] },
    ],
    [
      'S1-24: reasoning_summary',
      { reasoning_summary: 'auto' },
      { reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] },
    ],
    ['S1-24: verbosity', { verbosity: 'low' }, { text: { format: { type: 'text' }, verbosity: 'low' } }],
    [
      'S1-24: response_format with json_schema',
      { response_format: 'json_schema', json_schema: JSON.stringify({ schema }) },
      { text: { format: { type: 'json_schema', name: 'structured_output', schema, strict: true } } },
    ],
    ['json_schema is ignored for text', { response_format: 'text', json_schema: '{broken' }, {}],
    ['an empty response_format is text', { response_format: '' }, {}],
    ['S1-21: tool_choice', { tool_choice: 'required' }, { tool_choice: 'required' }],
    ['S1-21: a tool name as tool_choice', { tool_choice: 'search' }, { tool_choice: 'search' }],
    [
      'S1-21: an object as tool_choice',
      { tool_choice: { type: 'function', name: 'search' } },
      { tool_choice: { type: 'function', name: 'search' } },
    ],
    ['S1-22: parallel_tool_calls', { parallel_tool_calls: 'false' }, { parallel_tool_calls: false }],
    ['S1-26: stop as a list', { stop: ['END'] }, { truncation: 'disabled' }],
    ['S1-26: stop as text', { stop: 'END' }, { truncation: 'disabled' }],
    ['S1-26: an empty stop', { stop: [] }, {}],
    ['user', { user: 'u-1' }, { user: 'u-1' }],
    ['temperature and top_p', { temperature: 0, top_p: 1 }, { temperature: 0, top_p: 1 }],
    ['unknown keys are ignored', { n: 3, logit_bias: {}, frequency_penalty: 'x' }, {}],
    [
      'null and empty text count as not given',
      { max_output_tokens: null, reasoning_effort: '', tool_choice: '', user: '', temperature: null },
      {},
    ],
  ])('%s', (_case, parameters, expected) => expect(build(parameters)).toEqual({ ...bare, ...expected }));

  it.each([
    [undefined, true, true],
    [true, true, true],
    ['0', true, false],
    [true, false, false],
    [false, false, false],
  ])('S1-23, S1-25: enable_stream %j and a caller that streams %j give stream %j', (flag, stream, expected) =>
    expect(build(flag === undefined ? {} : { enable_stream: flag }, { stream }).stream).toBe(expected),
  );

  it('asks for encrypted reasoning of a model that always reasons', () =>
    expect(build({}, { reasons: true })).toEqual({ ...bare, include: ['reasoning.encrypted_content'] }));

  it.each<[string, JsonObject, string]>([
    ['S1-15', { max_output_tokens: 0 }, 'max_output_tokens must be an integer between 1 and 128000'],
    ['S1-15', { max_output_tokens: 128001 }, 'max_output_tokens must be an integer between 1 and 128000'],
    ['S1-15', { max_output_tokens: 0.9 }, 'max_output_tokens must be an integer between 1 and 128000'],
    ['S1-15', { max_output_tokens: Infinity }, 'max_output_tokens must be an integer between 1 and 128000'],
    ['S1-15', { max_output_tokens: '10.9' }, 'max_output_tokens must be an integer between 1 and 128000'],
    ['S1-15', { max_output_tokens: true }, 'max_output_tokens must be an integer between 1 and 128000'],
    ['S3-7', { max_tokens: -1 }, 'max_tokens must be an integer between 1 and 128000'],
    ['S1-16', { reasoning_effort: 'High' }, 'unsupported reasoning_effort: High'],
    ['S1-16', { reasoning_effort: 5 }, 'unsupported reasoning_effort: 5'],
    ['S1-17', { reasoning_summary: 'long' }, 'unsupported reasoning_summary: long'],
    ['S1-18', { verbosity: 'MEDIUM' }, 'unsupported verbosity: MEDIUM'],
    ['S1-19', { response_format: 'json' }, 'unsupported response_format: json'],
    [
      'S1-20',
      { response_format: 'json_schema' },
      'json_schema is required when response_format is json_schema',
    ],
    ['S1-22', { parallel_tool_calls: 'yes' }, 'parallel_tool_calls must be a boolean-like value'],
    ['S1-41', { parallel_tool_calls: null }, 'parallel_tool_calls must be a boolean-like value'],
    ['S1-23', { enable_stream: '' }, 'enable_stream must be a boolean-like value'],
    ['S3-7', { temperature: 2.1 }, 'temperature must be a number between 0 and 2'],
    ['S3-7', { temperature: '0.2' }, 'temperature must be a number between 0 and 2'],
    ['S3-7', { top_p: -0.1 }, 'top_p must be a number between 0 and 1'],
    ['S1-26', { stop: [1] }, 'stop must be a text or a list of texts'],
    ['user', { user: 7 }, 'user must be a text'],
  ])('%s: refuses %j', (_number, parameters, message) => {
    const [field] = Object.keys(parameters).slice(-1);
    expect(() => build(parameters)).toThrow(InvalidModelParameterError);
    expect(() => build(parameters)).toThrow(message);
    expect(message).toContain(field);
  });

  it.each<[string, FunctionTool, object]>([
    [
      'S1-27: converts a tool',
      { name: ' search ', description: 'finds', parameters: schema },
      { type: 'function', name: 'search', description: 'finds', parameters: schema },
    ],
    [
      'S1-27: completes what is missing',
      { name: 'ping' },
      {
        type: 'function',
        name: 'ping',
        description: '',
        parameters: { type: 'object', properties: {} },
      },
    ],
    [
      'S1-27: passes strict on when the tool says so',
      { name: 'ping', strict: true, parameters: schema },
      { type: 'function', name: 'ping', description: '', parameters: schema, strict: true },
    ],
  ])('%s', (_case, tool, expected) => expect(build({}, { tools: [tool] }).tools).toEqual([expected]));

  it.each([[''], ['  ']])('S1-28: refuses the tool name %j', (name) =>
    expect(() => build({}, { tools: [{ name }] })).toThrow('tool name is required'),
  );
});
