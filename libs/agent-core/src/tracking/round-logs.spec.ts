import { describe, expect, it } from '@jest/globals';
import {
  finishCallLog,
  finishRoundLog,
  finishThoughtLog,
  startCallLog,
  startRoundLog,
  startThoughtLog,
} from './round-logs.js';

const usage = { total_price: '0.00125', currency: 'USD', total_tokens: 15 };
const fine = { finishedAt: 61_234, error: null };
const toolResponse = { tool_call_id: 'c1', tool_call_name: 'search', tool_response: 'found' };

const round = startRoundLog({ id: 'r', number: 2, startedAt: 60_000 });
const thought = startThoughtLog({
  id: 't',
  roundId: 'r',
  model: 'some-model',
  provider: 'some-provider',
  startedAt: 60_000,
});
const call = startCallLog({
  id: 'c',
  roundId: 'r',
  toolName: 'search',
  provider: 'builtin',
  startedAt: 60_000,
});
const begun = { status: 'start', error: null, data: {} };
const finished = { started_at: 60, finished_at: 61.234, elapsed_time: 1.234 };

describe('the beginning of a log', () => {
  it.each([
    [
      'a round has no parent and no provider',
      round,
      { id: 'r', label: 'ROUND 2', parent_id: null, metadata: { started_at: 60 } },
    ],
    [
      'a thought belongs to its round',
      thought,
      {
        id: 't',
        label: 'some-model Thought',
        parent_id: 'r',
        metadata: { started_at: 60, provider: 'some-provider' },
      },
    ],
    [
      'a call belongs to its round',
      call,
      { id: 'c', label: 'CALL search', parent_id: 'r', metadata: { started_at: 60, provider: 'builtin' } },
    ],
  ])('%s (S0-8, 3.E-4, 3.E-5)', (_name, log, expected) => expect(log).toEqual({ ...begun, ...expected }));

  it('has a label of reasonable length', () => {
    const hostile = startCallLog({
      id: 'c',
      roundId: 'r',
      toolName: '🍎'.repeat(10_000),
      provider: '',
      startedAt: 0,
    });
    expect(hostile.label).toHaveLength(200);
    expect(hostile.label.isWellFormed()).toBe(true);
  });
});

describe('the end of a log', () => {
  it('has the response of a round, the answers of its calls, and its usage (S0-8, 3.E-5, 3.E-6)', () => {
    expect(
      finishRoundLog(round, { ...fine, response: 'I look.', toolResponses: [toolResponse], usage }),
    ).toEqual({
      ...round,
      status: 'success',
      data: { output: { llm_response: 'I look.', tool_responses: [toolResponse] } },
      metadata: { ...finished, ...usage },
    });
  });

  it('has the calls of a thought with their arguments, and its usage (S0-8, 3.E-5, 3.E-6)', () => {
    const calls = [
      { callId: 'c1', toolName: 'search', arguments: '{"query": "トマト", "token": "x"}' },
      { callId: 'c2', toolName: 'save', arguments: '{broken' },
    ];
    expect(finishThoughtLog(thought, { ...fine, response: 'I look.', calls, usage })).toEqual({
      ...thought,
      status: 'success',
      data: {
        output: 'I look.',
        tool_name: 'search;save',
        tool_input: [
          { name: 'search', args: { query: 'トマト', token: '***REDACTED***' } },
          { name: 'save', args: {} },
        ],
      },
      metadata: { ...finished, provider: 'some-provider', ...usage },
    });
  });

  it('has the answer of a call, and no cost (S0-8, 3.E-5, 3.E-6)', () => {
    expect(finishCallLog(call, { ...fine, toolResponse })).toEqual({
      ...call,
      status: 'success',
      data: { output: toolResponse },
      metadata: { ...finished, provider: 'builtin' },
    });
  });

  it('says 0, nothing and 0 where usage is missing (3.E-5)', () => {
    const ended = finishRoundLog(round, { ...fine, response: '', toolResponses: [], usage: null });
    expect(ended.metadata).toEqual({ ...finished, total_price: null, currency: '', total_tokens: null });
  });

  it('says why something went wrong, with the status error (3.E-2)', () => {
    const ended = finishCallLog(call, { finishedAt: 60_000, error: 'it broke', toolResponse });
    expect(ended).toMatchObject({
      id: 'c',
      label: 'CALL search',
      parent_id: 'r',
      status: 'error',
      error: 'it broke',
    });
  });

  it('never lies before the beginning, even when the clock was set back', () => {
    const ended = finishCallLog(call, { finishedAt: 1_000, error: null, toolResponse });
    expect(ended.metadata).toMatchObject({ started_at: 60, finished_at: 60, elapsed_time: 0 });
  });
});
