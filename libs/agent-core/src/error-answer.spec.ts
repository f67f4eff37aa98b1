import { describe, expect, it } from '@jest/globals';
import type { ToolCallOutcome } from './journal-entry.js';
import { endedInError } from './error-answer.js';

describe('a call that ended in an error (S4-26)', () => {
  it.each<[string, boolean, ToolCallOutcome]>([
    ['answered', false, { status: 'succeeded', output: '', result: { status: 'success', result: {} } }],
    ['answered an error', true, { status: 'succeeded', output: '', result: { status: 'error', result: {} } }],
    ['answered what is no result', false, { status: 'succeeded', output: '', result: null }],
    ['failed', true, { status: 'failed', output: '', error: '' }],
    ['was refused', true, { status: 'refused', output: '' }],
    ['is lost', true, { status: 'outcome_unknown', output: '' }],
  ])('%s: %s', (_name, isError, outcome) => {
    expect(endedInError(outcome)).toBe(isError);
  });
});
