import { describe, expect, it } from '@jest/globals';
import { FAILED_CALL_TEXT, iterationLimitText, REPEATED_FAILURE_TEXT } from '#libs/tooling';
import { describeToolResponse, type CallEnding } from './tool-response.js';

const call = { callId: 'c1', toolName: 'search', arguments: '{"query": "tomato"}' };
const named = { tool_call_id: 'c1', tool_call_name: 'search' };
const limit = iterationLimitText('search', 6);

describe('describeToolResponse', () => {
  it.each<[string, CallEnding, object]>([
    [
      'a success has its input (3.E-6)',
      { kind: 'succeeded', output: 'found', input: { query: 'tomato' } },
      { tool_call_input: { query: 'tomato' }, tool_response: 'found' },
    ],
    [
      'an exception has its input and no meta (S0-37, S1-71, 3.D-4)',
      { kind: 'failed', output: FAILED_CALL_TEXT, input: { query: 'tomato' } },
      { tool_call_input: { query: 'tomato' }, tool_response: 'tool invoke error: failed to execute tool' },
    ],
    [
      'a refusal has meta and no input (S0-34, 3.D-4)',
      { kind: 'refused', output: 'there is not a tool named x' },
      {
        tool_response: 'there is not a tool named x',
        meta: { time_cost: 0, error: 'there is not a tool named x', tool_config: {} },
      },
    ],
    [
      'a repeat has in its meta what failed first (S0-38, S1-72, 3.D-9)',
      { kind: 'repeated', output: REPEATED_FAILURE_TEXT, original: FAILED_CALL_TEXT },
      {
        tool_response: REPEATED_FAILURE_TEXT,
        meta: { time_cost: 0, error: FAILED_CALL_TEXT, tool_config: {} },
      },
    ],
    [
      'a call beyond the limit has neither (S0-14, 3.B-4)',
      { kind: 'beyond_limit', output: limit },
      {
        tool_response:
          "Maximum iteration limit (6) reached. Cannot call tool 'search'. Please consider increasing the iteration limit.",
      },
    ],
  ])('%s', (_name, ending, rest) =>
    expect(describeToolResponse(call, ending)).toEqual({ ...named, ...rest }),
  );

  it('shows no secrets of the input (3.E-10)', () => {
    const input = { query: 'a', apiKey: 'x', nested: [{ Access_Token: { a: 1 }, passwordHint: 'y' }] };
    expect(describeToolResponse(call, { kind: 'succeeded', output: '', input })).toMatchObject({
      tool_call_input: {
        query: 'a',
        apiKey: '***REDACTED***',
        nested: [{ Access_Token: '***REDACTED***', passwordHint: '***REDACTED***' }],
      },
    });
  });
});
