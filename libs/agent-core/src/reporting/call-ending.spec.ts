import { describe, expect, it } from '@jest/globals';
import { iterationLimitText, REFUSAL_REASONS, REPEATED_FAILURE_TEXT } from '#libs/tooling';
import { describeCallEnding } from './call-ending.js';

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
