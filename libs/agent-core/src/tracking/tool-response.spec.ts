import { describe, expect, it } from '@jest/globals';
import { FAILED_CALL_TEXT, iterationLimitText, REPEATED_FAILURE_TEXT, REFUSAL_REASONS } from '#libs/tooling';
import { describeToolResponse, type CallEnding, describeCallEnding } from './tool-response.js';

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

describe('describeCallEnding', () => {
  it.each(REFUSAL_REASONS)(
    'reports a call refused for %s by its reason, independent of its text',
    (reason) => {
      const kind = reason === 'iteration_limit' ? 'beyond_limit' : 'refused';
      for (const output of [iterationLimitText('look', 2), REPEATED_FAILURE_TEXT])
        expect(describeCallEnding({ status: 'refused', reason, output }, {})).toEqual({ kind, output });
    },
  );

  it.each(['repeated_failure', 'repeated_unknown'] as const)(
    'says what came of the call before: %s',
    (reason) => {
      const outcome = { status: 'refused', reason, output: 'not again', original: 'it failed' } as const;
      expect(describeCallEnding(outcome, {})).toEqual({
        kind: 'repeated',
        output: 'not again',
        original: 'it failed',
      });
    },
  );

  it('reports what an older release refused without a reason', () => {
    const output = iterationLimitText('look', 2);
    expect(describeCallEnding({ status: 'refused', output }, {})).toEqual({ kind: 'refused', output });
  });

  it('reports a call that ran with its input', () => {
    const outcome = { status: 'failed', output: 'no', error: 'Error' } as const;
    expect(describeCallEnding(outcome, { a: 1 })).toEqual({ kind: 'failed', output: 'no', input: { a: 1 } });
  });
});
