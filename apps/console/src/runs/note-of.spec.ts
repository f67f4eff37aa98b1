import { describe, expect, it } from '@jest/globals';
import type { ExecutionSummary } from '../api/types.js';
import { noteOf } from './note-of.js';

const blank = {
  ...{ error: null, required_action: null, waiting_for: null, incomplete_details: null },
  ...{ input: '5 cases', metadata: {} },
};
const note = (more: object): string => noteOf({ ...blank, ...more } as unknown as ExecutionSummary);

describe('the note of a run in the list', () => {
  it.each([
    ['5 cases', {}],
    ['failed: no', { error: { code: 'failed', message: 'no' } }],
    ['Waits: approve pay', { required_action: { calls: [{ tool_name: 'pay', asks: 'approval' }] } }],
    ['a slot', { waiting_for: { message: 'a slot' } }],
    ['Stopped early: max_iterations', { incomplete_details: { reason: 'max_iterations' } }],
    ['ticket: T-1', { input: undefined, metadata: { ticket: 'T-1' } }],
  ])('is %j', (expected, run) => expect(note(run)).toBe(expected));

  it('shows what would act unseen, of its beginning', () => {
    expect(note({ input: `\u001b[31m${'x'.repeat(5000)}` })).toBe(`␛[31m${'x'.repeat(995)}`);
  });
});
