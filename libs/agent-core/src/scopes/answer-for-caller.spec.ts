import { describe, expect, it } from '@jest/globals';
import { stripThinkBlocks } from '../display/think-blocks.js';
import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';
import { answerForCaller } from './answer-for-caller.js';

const ended = (outcome: ExecutionOutcome): JournalEntry => ({ kind: 'execution_settled', outcome });
const completed = (text: string): JournalEntry => ended({ status: 'completed', text });
const shown = { visibleText: stripThinkBlocks };
const json = { ...shown, answer: { findFaults: () => [] } };

describe('the answer of a loop for its caller', () => {
  it.each<[string, JournalEntry, typeof shown, JournalEntry]>([
    ['is without thoughts (S0-25)', completed('<think>no</think>yes'), shown, completed('yes')],
    [
      'is so too where it was not done',
      ended({ status: 'incomplete', reason: 'timeout', text: '<think>no</think>ye' }),
      shown,
      ended({ status: 'incomplete', reason: 'timeout', text: 'ye' }),
    ],
    ['is JSON without thoughts', completed('<think>no</think>{"n": 2}'), json, completed('{"n": 2}')],
    ['is JSON as it stands (S0-25)', completed('{"n": "<think>"}'), json, completed('{"n": "<think>"}')],
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
