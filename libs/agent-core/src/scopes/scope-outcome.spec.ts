import { describe, expect, it } from '@jest/globals';
import { outcomeOfScope, answerForCaller } from './scope-outcome.js';
import { stripThinkBlocks } from '../display/think-blocks.js';
import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';

const completed = (text: string) => ({ status: 'completed', text }) as const;
const BY_SCHEMA = { outputSchema: { type: 'object' } };

describe('the answer of an agent, as its caller reads it', () => {
  it('is its text, and the audit has it as the message of a result (S2-16)', () => {
    expect(outcomeOfScope(completed('{"n": 2}'))).toEqual({
      status: 'succeeded',
      output: '{"n": 2}',
      result: { status: 'success', result: { message: '{"n": 2}' } },
    });
  });

  it('is by its fields where a schema was asked for, in the result as in the text (S2-19)', () => {
    const text = '{"message": "Well.", "reviewerAgentOutput": {"verdict": "approved", "findings": []}}';
    expect(outcomeOfScope(completed(text), BY_SCHEMA)).toEqual({
      status: 'succeeded',
      output: text,
      result: {
        status: 'success',
        result: { message: 'Well.', reviewerAgentOutput: { verdict: 'approved', findings: [] } },
      },
    });
  });

  it.each(['no JSON', '[1]', '"text"', ''])('is its text where %j is no object', (text) => {
    expect(outcomeOfScope(completed(text), BY_SCHEMA)).toMatchObject({
      result: { status: 'success', result: { message: text } },
    });
  });

  it('is the partial answer where the agent stopped, without a check of its format', () => {
    const stopped = { status: 'incomplete', reason: 'timeout', text: '{"n": 2}' } as const;
    expect(outcomeOfScope(stopped, BY_SCHEMA)).toMatchObject({
      result: { result: { message: expect.stringContaining('The agent stopped') } },
    });
  });
});

const ended = (outcome: ExecutionOutcome): JournalEntry => ({ kind: 'execution_settled', outcome });
const answered = (text: string): JournalEntry => ended(completed(text));
const shown = { visibleText: stripThinkBlocks };
const json = { ...shown, answer: { findFaults: () => [] } };

describe('the answer of a loop for its caller', () => {
  it.each<[string, JournalEntry, typeof shown, JournalEntry]>([
    ['is without thoughts (S0-25)', answered('<think>no</think>yes'), shown, answered('yes')],
    [
      'is so too where it was not done',
      ended({ status: 'incomplete', reason: 'timeout', text: '<think>no</think>ye' }),
      shown,
      ended({ status: 'incomplete', reason: 'timeout', text: 'ye' }),
    ],
    ['is JSON without thoughts', answered('<think>no</think>{"n": 2}'), json, answered('{"n": 2}')],
    ['is JSON as it stands (S0-25)', answered('{"n": "<think>"}'), json, answered('{"n": "<think>"}')],
    [
      'is no other where there is none',
      ended({ status: 'cancelled' }),
      shown,
      ended({ status: 'cancelled' }),
    ],
  ])('%s', (_what, entry, rules, left) => {
    expect(answerForCaller(entry, rules)).toEqual(left);
  });
});
