import { describe, expect, it } from '@jest/globals';
import { executionResultSchema, toExecutionResult, withoutResultDetails } from './execution-result.js';
import type { ExecutionView } from './execution-view.js';
import { anExecutionView } from '../../../../test/support/builders/execution-view.js';

const view = anExecutionView();
const known = { num_turns: 2, session_id: view.id, title_pending: true };

describe('the data of the result event (S4-27)', () => {
  it('are the execution, and how it went', () => {
    expect(executionResultSchema.strict().parse(toExecutionResult(view, known))).toEqual({
      ...view,
      ...known,
      is_error: false,
      errors: [],
      duration_ms: 2_500,
    });
  });

  it.each<[ExecutionView['status'], boolean]>([
    ['completed', false],
    ['incomplete', false],
    ['failed', true],
    ['cancelled', true],
  ])('call %s an error: %s', (status, is_error) => {
    expect(toExecutionResult({ ...view, status }, known)).toMatchObject({ is_error });
  });

  it('name what was wrong', () => {
    const error = { code: 'SDK_ERROR', message: 'no' };
    expect(toExecutionResult({ ...view, error }, known)).toMatchObject({ errors: [error] });
  });

  it.each([
    ['never ran', { started_at: null }],
    ['has not ended', { finished_at: null }],
    ['ended by another clock before it began', { finished_at: '2026-01-01T00:00:00.000Z' }],
  ])('count no time of one that %s', (_name, times) => {
    expect(toExecutionResult({ ...view, ...times }, known)).toMatchObject({ duration_ms: 0 });
  });

  it('are the execution as everybody else sees it, once that is taken away', () => {
    expect(withoutResultDetails(toExecutionResult(view, known))).toEqual(view);
  });
});
