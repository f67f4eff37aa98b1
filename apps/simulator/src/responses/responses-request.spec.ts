import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../http/api-error.js';
import { seal } from './encrypted-reasoning.js';
import { parseResponsesRequest } from './responses-request.js';

const CALL = { type: 'function_call', call_id: 'call_1', name: 'search', arguments: '{}' };
const OUTPUT = { type: 'function_call_output', call_id: 'call_1', output: 'found' };
const REASONING = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal('rs_1', 'hm') };
const TOOL = { type: 'function', name: 'search' };
const PARAMETERS = {
  type: 'object',
  properties: { query: { type: 'string' }, limit: { type: ['integer', 'null'] } },
  required: ['query', 'limit'],
  additionalProperties: false,
};

const request = (extra: object): object => ({ model: 'sim-echo', input: 'hi', ...extra });

function refusal(data: unknown): ApiError {
  try {
    parseResponsesRequest(data);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the request was accepted');
}

describe('a request that is refused', () => {
  it.each<[string, object, string, string | null, string | null]>([
    [
      'no model',
      { input: 'hi' },
      "Missing required parameter: 'model'.",
      'model',
      'missing_required_parameter',
    ],
    [
      'no input',
      { model: 'm' },
      "Missing required parameter: 'input'.",
      'input',
      'missing_required_parameter',
    ],
    [
      'a wrong type',
      request({ model: 7 }),
      "Invalid type for 'model': expected a string, but got an integer instead.",
      'model',
      'invalid_type',
    ],
    [
      'input of a wrong type',
      request({ input: 7 }),
      "Invalid type for 'input': expected one of a string or an array, but got an integer instead.",
      'input',
      'invalid_type',
    ],
    ['an unknown field', request({ stop: ['x'] }), "Unknown parameter: 'stop'.", 'stop', 'unknown_parameter'],
    [
      'an unknown value',
      request({ truncation: 'some' }),
      "Invalid value: 'some'. Supported values are: 'auto' and 'disabled'.",
      'truncation',
      'invalid_value',
    ],
    [
      'a number below its minimum',
      request({ max_output_tokens: 1 }),
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
      'max_output_tokens',
      'integer_below_min_value',
    ],
    [
      'a decimal above its maximum',
      request({ temperature: 2.5 }),
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 2.5 instead.",
      'temperature',
      'decimal_above_max_value',
    ],
    [
      'a part of the wrong kind',
      request({ input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] }),
      "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
      'input[0].content[0].type',
      'invalid_value',
    ],
    [
      'a role that does not exist',
      request({ input: [{ role: 'tool', content: 'x' }] }),
      "Invalid value: 'tool'. Supported values are: 'user', 'system' and 'developer'.",
      'input[0].role',
      'invalid_value',
    ],
    [
      'a call without arguments',
      request({ input: [{ type: 'function_call', call_id: 'call_1', name: 'search' }, OUTPUT] }),
      "Missing required parameter: 'input[0].arguments'.",
      'input[0].arguments',
      'missing_required_parameter',
    ],
    [
      'reasoning without a summary',
      request({ input: [{ type: 'reasoning', id: 'rs_1' }] }),
      "Missing required parameter: 'input[0].summary'.",
      'input[0].summary',
      'missing_required_parameter',
    ],
    [
      'an item that the API does not know',
      request({ input: [{ type: 'tool_call' }] }),
      "Invalid value: 'tool_call'. Supported values are: 'message', 'function_call', 'function_call_output', 'reasoning' and 'item_reference'.",
      'input[0]',
      'invalid_value',
    ],
    [
      'an id of another kind of item',
      request({ input: [{ ...CALL, id: 'msg_1' }, OUTPUT] }),
      "Invalid 'input[0].id': 'msg_1'. Expected an ID that begins with 'fc'.",
      'input[0].id',
      'invalid_value',
    ],
    [
      'a call without an output',
      request({ input: [CALL] }),
      'No tool output found for function call call_1.',
      'input',
      null,
    ],
    [
      'an output without a call',
      request({ input: [OUTPUT] }),
      'No tool call found for function call output with call_id call_1.',
      'input',
      null,
    ],
    [
      'an output before its call',
      request({ input: [OUTPUT, CALL] }),
      'No tool call found for function call output with call_id call_1.',
      'input',
      null,
    ],
    [
      'two outputs of one call',
      request({ input: [CALL, OUTPUT, OUTPUT] }),
      'No tool call found for function call output with call_id call_1.',
      'input',
      null,
    ],
    [
      'two open calls of one id',
      request({ input: [CALL, CALL, OUTPUT] }),
      "Duplicate 'call_id': call_1.",
      'input',
      null,
    ],
    [
      'an item twice',
      request({ input: [{ ...CALL, id: 'fc_1' }, OUTPUT, { ...CALL, id: 'fc_1' }, OUTPUT] }),
      'Duplicate item found with id fc_1. Remove duplicate items from your input and try again.',
      'input',
      null,
    ],
    [
      'reasoning that stands alone',
      request({ input: [REASONING, { role: 'user', content: 'x' }] }),
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
      'input',
      null,
    ],
    [
      'a tool name with a blank',
      request({ tools: [{ ...TOOL, name: 'a b' }] }),
      "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '/^[a-zA-Z0-9_-]+$/'.",
      'tools[0].name',
      'invalid_value',
    ],
    [
      'two tools of one name',
      request({ tools: [TOOL, TOOL] }),
      "Duplicate function name: 'search'. Tool names must be unique.",
      'tools',
      'invalid_value',
    ],
    [
      'a strict tool with an open object',
      request({
        tools: [{ ...TOOL, strict: true, parameters: { ...PARAMETERS, additionalProperties: true } }],
      }),
      "Invalid schema for function 'search': In context=(), 'additionalProperties' is required to be supplied and to be false.",
      'tools[0].parameters',
      'invalid_function_parameters',
    ],
    [
      'a strict tool with an optional field',
      request({ tools: [{ ...TOOL, strict: true, parameters: { ...PARAMETERS, required: ['query'] } }] }),
      "Invalid schema for function 'search': In context=(), 'required' is required to be supplied and to be an array " +
        "including every key in properties. Missing 'limit'.",
      'tools[0].parameters',
      'invalid_function_parameters',
    ],
    [
      'the choice of a tool that is not there',
      request({ tools: [TOOL], tool_choice: { type: 'function', name: 'save' } }),
      "Tool choice 'function' 'save' not found in 'tools' parameter.",
      'tool_choice',
      null,
    ],
    [
      'a previous response',
      request({ previous_response_id: 'resp_1' }),
      "Previous response with id 'resp_1' not found.",
      'previous_response_id',
      'previous_response_not_found',
    ],
  ])('says what is wrong with %s', (_name, data, message, param, code) => {
    const error = refusal(data);
    expect(error.status).toBe(400);
    expect(error.body).toEqual({ message, type: 'invalid_request_error', param, code });
  });

  it('names encrypted reasoning that was changed', () => {
    const changed = `${REASONING.encrypted_content.slice(0, -2)}xx`;
    const error = refusal(request({ input: [{ ...REASONING, encrypted_content: changed }, CALL, OUTPUT] }));
    expect(error.body).toMatchObject({ code: 'invalid_encrypted_content', param: null });
  });

  it('does not find reasoning that was not stored', () => {
    const { encrypted_content: _sealed, ...bare } = REASONING;
    const error = refusal(request({ store: false, input: [bare, CALL, OUTPUT] }));
    expect(error.status).toBe(404);
    expect(error.message).toContain("Item with id 'rs_1' not found");
  });
});

describe('a request that is accepted', () => {
  it.each<[string, object]>([
    ['plain text', {}],
    ['a conversation', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }] }],
    ['a round of tools', { input: [REASONING, CALL, OUTPUT] }],
    ['an id used again after it was answered', { input: [CALL, OUTPUT, CALL, OUTPUT] }],
    [
      'parallel calls',
      { input: [CALL, { ...CALL, call_id: 'call_2' }, { ...OUTPUT, call_id: 'call_2' }, OUTPUT] },
    ],
    ['a strict tool', { tools: [{ ...TOOL, strict: true, parameters: PARAMETERS }] }],
    ['nulls for what is not wanted', { temperature: null, tools: null, reasoning: null, metadata: null }],
  ])('may hold %s', (_name, extra) => {
    expect(() => parseResponsesRequest(request(extra))).not.toThrow();
  });
});
